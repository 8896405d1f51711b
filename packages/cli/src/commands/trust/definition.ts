import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

const NAME_ARGUMENT = {
  name: 'name',
  summary:
    'A trusted file, a workspace or an approved artifact, as `catalog trust list` prints it.',
  required: true,
} as const;

export const trustListDefinition = {
  name: 'trust list',
  section: 'Look',
  summary: 'List trusted files and approved artifacts.',
  description: [
    'A file that may run commands, load code or write outside its workspace does so only after you trusted exactly its content. `changed` means that the file is not what you trusted: the next command that needs it asks again.',
    'A registry you named with `catalog init` needs no approval in that workspace. An approved artifact may be written with the executable content you approved. New or changed content asks again.',
  ],
  arguments: [],
  flags: {},
  examples: [{ command: 'catalog trust list', summary: 'see what you have agreed to' }],
} as const satisfies CommandDefinition;

export const trustShowDefinition = {
  name: 'trust show',
  section: 'Look',
  summary: 'Show a trusted file or an approved artifact.',
  description: [
    'For a file, prints the hash you trusted, the hash of the file now, and whether they are equal. For an artifact, prints the registry and the keys of the approved capabilities.',
  ],
  arguments: [NAME_ARGUMENT],
  flags: {},
  examples: [
    { command: 'catalog trust show .catalog/sync.yaml', summary: 'look at one file' },
    { command: 'catalog trust show ops/deploy/check', summary: 'look at one artifact' },
  ],
} as const satisfies CommandDefinition;

export const trustApproveDefinition = {
  name: 'trust approve',
  section: 'Look',
  summary: 'Approve the executable content of artifacts.',
  description: [
    'Shows what the artifacts can run, as the registry serves them now, and records your approval. Nothing is written into a workspace. `catalog sync` and the MCP server then write these artifacts without asking, until an update adds something.',
  ],
  arguments: [
    {
      name: 'id',
      summary: 'Artifacts, such as ops/deploy/check.',
      required: true,
      repeated: true,
    },
  ],
  flags: { registry: CONFIG_FLAGS.registry },
  examples: [
    {
      command: 'catalog trust approve ops/deploy/check',
      summary: 'let an agent load an artifact with hooks',
    },
  ],
  known_as: { approve: 'trust approve' },
} as const satisfies CommandDefinition;

export const trustRevokeDefinition = {
  name: 'trust revoke',
  section: 'Look',
  summary: 'Revoke trust in a file or the approval of an artifact.',
  description: [
    'The next command that needs the file or writes the artifact asks again, or fails without a terminal. Files that are already installed stay.',
  ],
  arguments: [NAME_ARGUMENT],
  flags: {},
  examples: [
    { command: 'catalog trust revoke .catalog/sync.yaml', summary: 'stop trusting a file' },
    { command: 'catalog trust revoke ops/deploy/check', summary: 'revoke an approval' },
  ],
  known_as: { untrust: 'trust revoke' },
} as const satisfies CommandDefinition;
