import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

const NAME_ARGUMENT = {
  name: 'name',
  summary: 'Trusted file, workspace or approved artifact, as printed by `catalog trust list`.',
  required: true,
} as const;

export const trustListDefinition = {
  name: 'trust list',
  section: 'Inspect',
  summary: 'List trusted files and approved artifacts.',
  description: [
    'A file can run commands, load code or write outside its workspace only after you trust its exact content. `changed` means the content differs from what you trusted: the next command that needs the file asks again.',
    'A registry you chose with `catalog init` needs no approval in that workspace. An approved artifact can be installed with the executable content you approved; new or changed content needs a new approval.',
  ],
  arguments: [],
  flags: {},
  examples: [{ command: 'catalog trust list', summary: 'list what you trust' }],
} as const satisfies CommandDefinition;

export const trustShowDefinition = {
  name: 'trust show',
  section: 'Inspect',
  summary: 'Show a trusted file or an approved artifact.',
  description: [
    'For a file, prints the hash you trusted, the hash of the file now, and whether they are equal. For an artifact, prints the registry and the keys of the approved capabilities.',
  ],
  arguments: [NAME_ARGUMENT],
  flags: {},
  examples: [
    { command: 'catalog trust show .catalog/sync.yaml', summary: 'show one file' },
    { command: 'catalog trust show ops/deploy/check', summary: 'show one artifact' },
  ],
} as const satisfies CommandDefinition;

export const trustApproveDefinition = {
  name: 'trust approve',
  section: 'Inspect',
  summary: 'Approve the executable content of artifacts.',
  description: [
    'Shows what the artifacts can run, as the registry serves them now, and records your approval. Installs nothing. `catalog sync` and the MCP server then install these artifacts without asking, until an update adds executable content.',
  ],
  arguments: [
    {
      name: 'id',
      summary: 'Artifact ids, such as ops/deploy/check.',
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
  section: 'Inspect',
  summary: 'Revoke trust in a file, or an artifact approval.',
  description: [
    'The next command that needs the file or installs the artifact asks again, or fails without a terminal. Installed files stay.',
  ],
  arguments: [NAME_ARGUMENT],
  flags: {},
  examples: [
    { command: 'catalog trust revoke .catalog/sync.yaml', summary: 'stop trusting a file' },
    { command: 'catalog trust revoke ops/deploy/check', summary: 'revoke an approval' },
  ],
  known_as: { untrust: 'trust revoke' },
} as const satisfies CommandDefinition;
