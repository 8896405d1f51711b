import type { CommandDefinition } from '../../command/definition.ts';

export const harnessListDefinition = {
  name: 'harness list',
  section: 'Inspect',
  summary: 'List supported harnesses and their capabilities.',
  description: [
    'yes: supported natively. fallback: supported in a simpler form, with a warning; for rules, in some modes. 6 of 20: number of hook events with an equivalent. no: a sync fails unless you pass --skip-unsupported.',
  ],
  arguments: [],
  flags: {},
  examples: [{ command: 'catalog harness list', summary: 'print the capability matrix' }],
  known_as: { harnesses: 'harness list', agents: 'harness list' },
} as const satisfies CommandDefinition;

export const harnessShowDefinition = {
  name: 'harness show',
  section: 'Inspect',
  summary: 'Show where a harness keeps files and what it supports.',
  description: [
    'Prints the location of each artifact type, the mapping of rule modes and hook events, other folders the product reads skills from, its MCP configuration, and its description budget. Includes your own adapters, listed under `adapters` in sync.yaml.',
  ],
  arguments: [
    {
      name: 'id',
      summary: 'Harness, such as claude-code; see `catalog harness list`.',
      required: true,
      completion: 'harness',
    },
  ],
  flags: {
    trust: {
      type: 'switch',
      summary: 'Trust the configured adapters as they are now.',
    },
  },
  examples: [
    {
      command: 'catalog harness show claude-code',
      summary: 'show file locations and capabilities',
    },
    {
      command: 'catalog harness show cursor --json',
      summary: 'print JSON',
    },
  ],
} as const satisfies CommandDefinition;
