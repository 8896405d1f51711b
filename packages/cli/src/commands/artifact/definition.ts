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
  summary: 'Start an artifact: its folder and a manifest to edit.',
  description: [
    'Writes <registry>/<id>/ARTIFACT.md, for a skill SKILL.md beside it, and for a hook its script. The last segment of the id becomes the name the harness shows.',
  ],
  arguments: [
    {
      name: 'type',
      summary: 'What it is.',
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
      summary: 'Where it lives: domains and a name, such as ops/deploy/check.',
      required: true,
    },
  ],
  flags: {
    registry: CONFIG_FLAGS.registry,
    layer: {
      type: 'text',
      placeholder: 'name',
      summary: 'The layer to write into, where the registry has several.',
    },
    description: {
      type: 'text',
      placeholder: 'sentence',
      summary: 'What it does and when to use it.',
    },
    tag: { type: 'list', placeholder: 'word', summary: 'A tag for search; may be repeated.' },
    sensitivity: {
      type: 'text',
      values: SENSITIVITIES,
      summary: 'How sensitive its content is.',
    },
    extends: {
      type: 'text',
      placeholder: 'id@version',
      summary: 'The artifact it builds upon.',
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
      summary: 'The files a glob rule applies to, separated by commas.',
    },
    'rule-description': {
      type: 'text',
      placeholder: 'sentence',
      summary: 'When the agent should take up an auto rule.',
    },
    'hook-event': {
      type: 'text',
      values: HOOK_EVENTS,
      summary: 'What a hook waits for.',
      default: 'stop',
    },
    'hook-action': {
      type: 'text',
      placeholder: 'command',
      summary: 'What a hook runs.',
      default: 'a script beside it',
    },
    'server-identifier': {
      type: 'text',
      placeholder: 'identifier',
      summary: 'How an mcp-server is started or reached: npx:<package>, or its address.',
    },
    force: { type: 'switch', summary: 'Replace files that are there.' },
  },
  examples: [
    {
      command: 'catalog artifact new skill greetings/hello',
      summary: 'start a skill in the configured registry',
    },
    {
      command:
        "catalog artifact new rule ops/guard/no-friday --rule-mode glob --rule-globs 'deploy/**'",
      summary: 'start a rule for some files only',
    },
    {
      command: 'catalog artifact new mcp-server tools/warehouse --server-identifier npx:wh-mcp',
      summary: 'start an MCP server entry',
    },
  ],
  known_as: {
    new: 'artifact new',
    create: 'artifact new',
    scaffold: 'artifact new',
  },
} as const satisfies CommandDefinition;
