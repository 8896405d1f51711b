import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const initDefinition = {
  name: 'init',
  section: 'Get started',
  summary: 'Choose the registry and harnesses for this folder.',
  description: [
    'Writes .catalog/sync.yaml, and a .catalog/.gitignore for machine-local files. In a terminal, init prompts for missing values and suggests the harnesses this folder already uses. Without a terminal, pass --registry or --standalone.',
    'Registry folders are stored as portable paths: relative inside the workspace, with ~ in your home folder, absolute elsewhere. Existing files are replaced only with --force.',
  ],
  arguments: [],
  flags: {
    registry: CONFIG_FLAGS.registry,
    harness: CONFIG_FLAGS.harness,
    target: CONFIG_FLAGS.target,
    global: {
      type: 'switch',
      short: 'g',
      summary: 'Write ~/.catalog/sync.yaml, the defaults for all your workspaces.',
    },
    local: {
      type: 'switch',
      summary: 'Write .catalog/sync.local.yaml, which git ignores.',
    },
    standalone: {
      type: 'switch',
      summary: 'Use the registry on this machine, http://127.0.0.1:8080.',
    },
    force: { type: 'switch', summary: 'Replace an existing file.' },
  },
  exclusive: [
    ['global', 'local'],
    ['registry', 'standalone'],
  ],
  examples: [
    {
      command: 'catalog init --registry ./registry --harness claude-code',
      summary: 'install artifacts from ./registry into Claude Code',
    },
    {
      command: 'catalog init --registry ./registry --harness claude-code,cursor',
      summary: 'install into Claude Code and Cursor',
    },
    { command: 'catalog init', summary: 'choose interactively' },
    {
      command: 'catalog init --global --standalone',
      summary: 'use the local registry in all workspaces',
    },
  ],
  known_as: { setup: 'init', configure: 'init' },
} as const satisfies CommandDefinition;
