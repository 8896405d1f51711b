import type { CommandDefinition } from '../../command/definition.ts';

const FILE_ARGUMENT = {
  name: 'file',
  summary: 'The trusted file, as `catalog trust list` prints it.',
  required: true,
} as const;

export const trustListDefinition = {
  name: 'trust list',
  section: 'Look',
  summary: 'List the files you trust.',
  description: [
    'A file that may run commands, load code or write outside its workspace does so only after you trusted exactly its content. `changed` means that the file is not what you trusted: the next command that needs it asks again.',
  ],
  arguments: [],
  flags: {},
  examples: [{ command: 'catalog trust list', summary: 'see what you have agreed to' }],
} as const satisfies CommandDefinition;

export const trustShowDefinition = {
  name: 'trust show',
  section: 'Look',
  summary: 'Compare a trusted file with what you trusted.',
  description: [
    'Prints the hash you trusted, the hash of the file now, and whether they are equal.',
  ],
  arguments: [FILE_ARGUMENT],
  flags: {},
  examples: [{ command: 'catalog trust show .catalog/sync.yaml', summary: 'look at one file' }],
} as const satisfies CommandDefinition;

export const trustRevokeDefinition = {
  name: 'trust revoke',
  section: 'Look',
  summary: 'Stop trusting a file.',
  description: ['The next command that needs the file asks again, or fails without a terminal.'],
  arguments: [FILE_ARGUMENT],
  flags: {},
  examples: [
    { command: 'catalog trust revoke .catalog/sync.yaml', summary: 'take the trust back' },
  ],
  known_as: { untrust: 'trust revoke' },
} as const satisfies CommandDefinition;
