import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const initDefinition = {
  name: 'init',
  section: 'Start',
  summary: 'Choose the registry and the harness for this folder.',
  description: [
    'Writes .catalog/sync.yaml in the current folder, and a .catalog/.gitignore for what stays on this machine. In a terminal it asks for what no flag answers, and offers the harnesses it finds in use here; elsewhere it asks nothing and needs --registry or --standalone.',
    'A folder is written so that it means the same on as many machines as can be: relative inside the workspace, with ~ under the home folder, and whole only elsewhere. An existing file is never replaced without --force.',
  ],
  arguments: [],
  flags: {
    registry: CONFIG_FLAGS.registry,
    harness: CONFIG_FLAGS.harness,
    target: CONFIG_FLAGS.target,
    global: {
      type: 'switch',
      short: 'g',
      summary: 'Write ~/.catalog/sync.yaml, which every workspace of yours falls back to.',
    },
    local: {
      type: 'switch',
      summary: 'Write .catalog/sync.local.yaml, which git ignores.',
    },
    standalone: {
      type: 'switch',
      summary: 'Use the registry served on this machine, http://127.0.0.1:8080.',
    },
    force: { type: 'switch', summary: 'Replace a file that is there.' },
  },
  exclusive: [
    ['global', 'local'],
    ['registry', 'standalone'],
  ],
  examples: [
    {
      command: 'catalog init --registry ./registry --harness harness-a',
      summary: 'deliver the folder ./registry into harness-a, here',
    },
    {
      command: 'catalog init --registry ./registry --harness claude-code,cursor',
      summary: 'into both',
    },
    { command: 'catalog init', summary: 'be asked, in a terminal' },
    {
      command: 'catalog init --global --standalone',
      summary: 'use the registry on this machine everywhere',
    },
  ],
  known_as: { setup: 'init', configure: 'init' },
} as const satisfies CommandDefinition;
