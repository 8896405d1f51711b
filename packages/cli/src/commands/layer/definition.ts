import type { CommandDefinition, FlagDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

const ID = { name: 'id', summary: 'Layer id.', required: true } as const;

const REGISTRY_FLAG = { registry: CONFIG_FLAGS.registry } as const;

const LAYER_FLAGS = {
  ref: { type: 'text', placeholder: 'branch', summary: 'Branch or ref of a git source.' },
  root: { type: 'text', placeholder: 'path', summary: 'Subfolder of the source to read.' },
  'local-path': {
    type: 'text',
    placeholder: 'folder',
    summary: "Folder on the registry's machine.",
    completion: 'folder',
  },
  owner: { type: 'text', placeholder: 'subject', summary: 'Owner of the layer.' },
  public: {
    type: 'optional',
    values: ['true', 'false'],
    summary: 'Make the layer visible to everyone; =false reverts this.',
  },
  organization: {
    type: 'optional',
    values: ['true', 'false'],
    summary: 'Make the layer visible to signed-in users; =false reverts this.',
  },
  group: {
    type: 'list',
    placeholder: 'name',
    summary: 'Group that can read the layer; may be repeated.',
  },
  user: {
    type: 'list',
    placeholder: 'subject',
    summary: 'User who can read the layer; may be repeated.',
  },
  'git-provider': {
    type: 'text',
    values: ['github', 'gitlab', 'bitbucket'],
    hidden_values: ['git-host-a', 'git-host-b', 'git-host-c'],
    default: 'github',
    summary: 'Git host that sends webhooks for the layer.',
  },
  'force-push-policy': {
    type: 'text',
    values: ['tolerant', 'strict'],
    summary: 'Handling of force-pushes: accept or reject them.',
  },
} as const satisfies Record<string, FlagDefinition>;

const NO_WAIT = {
  type: 'switch',
  summary: 'Return immediately; the ingest continues in the registry.',
} as const;

const EXIT_ONE_MEANING = 'an artifact was rejected, or the command failed';

export const layerRegisterDefinition = {
  name: 'layer register',
  section: 'Serve',
  summary: 'Register a layer and ingest its artifacts.',
  description: [
    "A layer is a git repository or a folder on the registry's machine. Registering an existing id replaces the layer. The webhook secret is shown once.",
    'A layer without visibility flags is personal: only you can read it. If the registry authenticates callers, only admins can register folders and layers for others.',
  ],
  arguments: [ID],
  flags: {
    ...REGISTRY_FLAG,
    repo: { type: 'text', placeholder: 'url', summary: 'Git repository URL.' },
    ...LAYER_FLAGS,
    'no-wait': NO_WAIT,
  },
  exclusive: [['repo', 'local-path']],
  examples: [
    {
      command: 'catalog layer register base --local-path ./artifacts',
      summary: 'register a folder',
    },
    {
      command:
        'catalog layer register team --repo https://git.example.com/team/skills.git --ref main --group platform',
      summary: 'register a repository for one group',
    },
  ],
  exit_one: EXIT_ONE_MEANING,
  known_as: { publish: 'layer register <id>' },
} as const satisfies CommandDefinition;

export const layerUpdateDefinition = {
  name: 'layer update',
  section: 'Serve',
  summary: 'Change the visibility or source of a layer.',
  description: [
    'Settings you do not pass stay unchanged. The source type and repository cannot be changed.',
  ],
  arguments: [ID],
  flags: {
    ...REGISTRY_FLAG,
    ...LAYER_FLAGS,
    'clear-groups': { type: 'switch', summary: 'Remove access for all groups.' },
    'clear-users': { type: 'switch', summary: 'Remove access for all individual users.' },
    'rotate-webhook-secret': {
      type: 'switch',
      summary: 'Create a new webhook secret, shown once.',
    },
  },
  exclusive: [
    ['clear-groups', 'group'],
    ['clear-users', 'user'],
  ],
  examples: [
    { command: 'catalog layer update team --public=false', summary: 'remove public access' },
    {
      command: 'catalog layer update team --group platform --group security',
      summary: 'grant access to exactly these groups',
    },
    { command: 'catalog layer update team --clear-groups', summary: 'remove all groups' },
  ],
} as const satisfies CommandDefinition;

export const layerListDefinition = {
  name: 'layer list',
  section: 'Serve',
  summary: 'List layers in order of precedence.',
  description: ['Lists the layers you can read. Later layers override earlier ones.'],
  arguments: [],
  flags: {
    ...REGISTRY_FLAG,
    deleted: { type: 'switch', summary: 'List removed layers that can be restored.' },
  },
  examples: [{ command: 'catalog layer list', summary: 'list all' }],
  known_as: { layers: 'layer list' },
} as const satisfies CommandDefinition;

export const layerRemoveDefinition = {
  name: 'layer remove',
  section: 'Serve',
  summary: 'Remove a layer and its artifacts.',
  description: [
    'The layer can be restored during the recovery window. The next sync of each workspace removes the files installed from it.',
  ],
  arguments: [ID],
  flags: { ...REGISTRY_FLAG },
  examples: [{ command: 'catalog layer remove team', summary: 'one layer' }],
} as const satisfies CommandDefinition;

export const layerRestoreDefinition = {
  name: 'layer restore',
  section: 'Serve',
  summary: 'Restore a removed layer and its artifacts.',
  description: ['To list layers that can be restored, run `catalog layer list --deleted`.'],
  arguments: [ID],
  flags: { ...REGISTRY_FLAG },
  examples: [{ command: 'catalog layer restore team', summary: 'one layer' }],
} as const satisfies CommandDefinition;

export const layerReorderDefinition = {
  name: 'layer reorder',
  section: 'Serve',
  summary: 'Change the order of layers.',
  description: ['Later layers override earlier ones. Layers you do not name keep their position.'],
  arguments: [
    {
      name: 'ids',
      summary: 'Layers, lowest precedence first.',
      required: true,
      repeated: true,
    },
  ],
  flags: { ...REGISTRY_FLAG },
  examples: [{ command: 'catalog layer reorder base team', summary: 'let team override base' }],
} as const satisfies CommandDefinition;

export const layerReingestDefinition = {
  name: 'layer reingest',
  section: 'Serve',
  summary: 'Re-ingest a layer from its source.',
  description: [
    'Reports new, removed and rejected artifacts. To override a freeze window, pass --break-glass with a justification and two approvers.',
  ],
  arguments: [ID],
  flags: {
    ...REGISTRY_FLAG,
    'no-wait': NO_WAIT,
    'break-glass': { type: 'switch', summary: 'Override a freeze window.' },
    justification: { type: 'text', placeholder: 'text', summary: 'Reason for the override.' },
    approver: {
      type: 'list',
      placeholder: 'subject',
      summary: 'Admin who approved the override; may be repeated.',
    },
  },
  examples: [{ command: 'catalog layer reingest team', summary: 'one layer' }],
  exit_one: EXIT_ONE_MEANING,
  known_as: { ingest: 'layer reingest <id>' },
} as const satisfies CommandDefinition;

export const layerIngestsDefinition = {
  name: 'layer ingests',
  section: 'Serve',
  summary: 'Show recent ingests of a layer and rejected artifacts.',
  description: [
    'Shows the latest ingest in full, with fixes for rejected artifacts, and one line for each earlier ingest.',
  ],
  arguments: [ID],
  flags: { ...REGISTRY_FLAG },
  examples: [{ command: 'catalog layer ingests team', summary: 'one layer' }],
} as const satisfies CommandDefinition;
