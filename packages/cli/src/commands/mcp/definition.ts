import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const mcpConfigDefinition = {
  name: 'mcp config',
  section: 'Install',
  summary: "Connect a harness to catalog's MCP server.",
  description: [
    "Prints the catalog-mcp entry in the format of the harness's configuration file. --write merges the entry into that file and preserves everything else, comments included. --remove removes the entry.",
    'The entry is recorded in .catalog/sync.lock of the workspace or home folder. A sync does not change it; `catalog sync --remove` removes it.',
  ],
  arguments: [
    {
      name: 'harness',
      summary: 'Harness, such as claude-code; see `catalog harness list`.',
      required: true,
      completion: 'harness',
    },
  ],
  flags: {
    write: { type: 'switch', summary: "Merge the entry into the harness's configuration file." },
    remove: { type: 'switch', summary: 'Remove the entry and nothing else.' },
    scope: {
      type: 'text',
      values: ['project', 'user'],
      summary: "Write the project's file, or your own in the home folder.",
      default: 'project if the harness has a project file, else user',
    },
    registry: CONFIG_FLAGS.registry,
    trust: {
      type: 'switch',
      summary: 'Trust the configured adapters as they are now.',
    },
    yes: { type: 'switch', short: 'y', summary: 'Write into the home folder without asking.' },
  },
  exclusive: [['write', 'remove']],
  examples: [
    { command: 'catalog mcp config claude-code', summary: 'show the entry and its file' },
    { command: 'catalog mcp config claude-code --write', summary: 'write the entry' },
    {
      command: 'catalog mcp config claude-code --scope user --write --yes',
      summary: 'write to the home folder without asking',
    },
    { command: 'catalog mcp config claude-code --remove', summary: 'remove the entry' },
  ],
} as const satisfies CommandDefinition;

export const mcpDoctorDefinition = {
  name: 'mcp doctor',
  section: 'Install',
  summary: 'Diagnose why catalog-mcp tools are missing in a harness.',
  description: [
    "Reads the harness's configuration file, starts catalog-mcp as configured there, connects with protocol revisions 2025-11-25 and 2026-07-28, and calls each tool. Prints the server's settings, each tool's result, and every problem with its fix.",
    'Test artifacts go into a temporary folder; the workspace is not changed. Without a harness, the server starts with the environment of this shell.',
  ],
  arguments: [
    {
      name: 'harness',
      summary: 'Harness to diagnose, such as claude-code.',
      required: false,
      completion: 'harness',
    },
  ],
  flags: {
    trust: {
      type: 'switch',
      summary: 'Trust the configured adapters and the entry that starts the server.',
    },
  },
  examples: [
    { command: 'catalog mcp doctor claude-code', summary: 'start the server as Claude Code does' },
    { command: 'catalog mcp doctor', summary: 'start the server from this shell' },
  ],
  exit_one: 'a problem was found',
} as const satisfies CommandDefinition;
