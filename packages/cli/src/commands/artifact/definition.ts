import {
  FIRST_CLASS_TYPES,
  HOOK_EVENTS,
  RULE_MODES,
  SENSITIVITIES,
} from '@catalog/core/artifact/types';
import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const artifactNewDefinition = {
  name: 'artifact new',
  section: 'Author',
  summary: 'Create an artifact from a template.',
  description: [
    'Writes <registry>/<id>/ARTIFACT.md, plus SKILL.md for a skill and a script for a hook. The last segment of the id is the name shown in the harness.',
  ],
  arguments: [
    {
      name: 'type',
      summary: 'Artifact type.',
      required: true,
      values: FIRST_CLASS_TYPES,
      value_slips: {
        mcp: 'mcp-server',
        server: 'mcp-server',
        subagent: 'agent',
        prompt: 'command',
      },
    },
    {
      name: 'id',
      summary: 'Domains and name, such as ops/deploy/check.',
      required: true,
    },
  ],
  flags: {
    registry: CONFIG_FLAGS.registry,
    layer: {
      type: 'text',
      placeholder: 'name',
      summary: 'Layer to write into, if the registry has several.',
    },
    description: {
      type: 'text',
      placeholder: 'sentence',
      summary: 'Description: purpose, and when to use it.',
    },
    tag: { type: 'list', placeholder: 'word', summary: 'Search tag; may be repeated.' },
    sensitivity: {
      type: 'text',
      values: SENSITIVITIES,
      summary: 'Sensitivity of the content.',
    },
    extends: {
      type: 'text',
      placeholder: 'id@version',
      summary: 'Parent artifact.',
    },
    'rule-mode': {
      type: 'text',
      values: RULE_MODES,
      summary: 'When a rule applies.',
      default: 'always',
    },
    'rule-globs': {
      type: 'text',
      placeholder: 'globs',
      summary: 'File globs of a `glob` rule, separated by commas.',
    },
    'rule-description': {
      type: 'text',
      placeholder: 'sentence',
      summary: 'When the agent should apply an `auto` rule.',
    },
    'hook-event': {
      type: 'text',
      values: HOOK_EVENTS,
      summary: 'Event that triggers a hook.',
      default: 'stop',
    },
    'hook-action': {
      type: 'text',
      placeholder: 'command',
      summary: 'Command that a hook runs.',
      default: 'a script next to the manifest',
    },
    'server-identifier': {
      type: 'text',
      placeholder: 'identifier',
      summary: 'How to start or reach an MCP server: npx:<package>, or a URL.',
    },
    force: { type: 'switch', summary: 'Replace existing files.' },
  },
  examples: [
    {
      command: 'catalog artifact new skill greetings/hello',
      summary: 'create a skill in the configured registry',
    },
    {
      command:
        "catalog artifact new rule ops/guard/no-friday --rule-mode glob --rule-globs 'deploy/**'",
      summary: 'create a rule for certain files',
    },
    {
      command: 'catalog artifact new mcp-server tools/warehouse --server-identifier npx:wh-mcp',
      summary: 'create an MCP server entry',
    },
  ],
  known_as: {
    new: 'artifact new',
    create: 'artifact new',
    scaffold: 'artifact new',
  },
} as const satisfies CommandDefinition;
