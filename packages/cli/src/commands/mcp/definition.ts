import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

export const mcpConfigDefinition = {
  name: 'mcp config',
  section: 'Deliver',
  summary: "Show or write the entry that runs catalog's MCP server in a harness.",
  description: [
    "Prints the entry for catalog-mcp in the harness's own file and form. With --write it is merged into that file: everything else in it, comments included, stays as it is. `--remove` takes it out again.",
    'What was written stands in .catalog/sync.lock of the workspace or the home folder; a sync leaves it alone, and `catalog sync --remove` takes it along.',
  ],
  arguments: [
    {
      name: 'harness',
      summary: 'The harness, such as harness-a; `catalog harness list` names them.',
      required: true,
      completion: 'harness',
    },
  ],
  flags: {
    write: { type: 'switch', summary: "Merge the entry into the harness's own file." },
    remove: { type: 'switch', summary: 'Take the entry out again, and nothing else.' },
    scope: {
      type: 'text',
      values: ['project', 'user'],
      summary: "The project's file, or your own below the home folder.",
      default: 'project where the harness has such a file, else user',
    },
    registry: CONFIG_FLAGS.registry,
    trust: {
      type: 'switch',
      summary: 'Trust the adapters the configuration names as they are now.',
    },
    yes: { type: 'switch', short: 'y', summary: 'Agree to write into the home folder.' },
  },
  exclusive: [['write', 'remove']],
  examples: [
    { command: 'catalog mcp config harness-a', summary: 'see the entry and where it goes' },
    { command: 'catalog mcp config harness-a --write', summary: 'put it there' },
    {
      command: 'catalog mcp config harness-b --write --yes',
      summary: 'in a file of the home folder, without a question',
    },
    { command: 'catalog mcp config harness-a --remove', summary: 'take it out again' },
  ],
} as const satisfies CommandDefinition;

export const mcpDoctorDefinition = {
  name: 'mcp doctor',
  section: 'Deliver',
  summary: 'Find out why the tools of catalog-mcp do not show up in a harness.',
  description: [
    "Reads the harness's own file, starts catalog-mcp as it says there, speaks to it in both eras of the protocol and calls each tool. Prints what the server was told, what each tool answered, and every problem with what to do next.",
    'What it loads for the test goes into a folder that is removed again; the workspace stays as it is. Without a harness the server is started as from this shell.',
  ],
  arguments: [
    {
      name: 'harness',
      summary: 'The harness whose file is read, such as harness-a.',
      required: false,
      completion: 'harness',
    },
  ],
  flags: {
    trust: {
      type: 'switch',
      summary: 'Trust adapters and the entry that starts the server as they are now.',
    },
  },
  examples: [
    { command: 'catalog mcp doctor harness-a', summary: 'as harness-a starts it' },
    { command: 'catalog mcp doctor', summary: 'as this shell starts it' },
  ],
  exit_one: 'there is a problem',
} as const satisfies CommandDefinition;
