import type { CommandDefinition, FlagDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

const ID = { name: 'id', summary: 'The layer.', required: true } as const;

const REGISTRY_FLAG = { registry: CONFIG_FLAGS.registry } as const;

/** Who sees a layer, and where its source is read from; the same when it is made and when it is changed. */
const LAYER_FLAGS = {
  ref: { type: 'text', placeholder: 'branch', summary: 'The branch or ref of a git source.' },
  root: { type: 'text', placeholder: 'path', summary: 'Only this folder of the source.' },
  'local-path': {
    type: 'text',
    placeholder: 'folder',
    summary: 'A folder on the machine of the registry.',
    completion: 'folder',
  },
  owner: { type: 'text', placeholder: 'subject', summary: 'Whose layer it is.' },
  public: {
    type: 'optional',
    values: ['true', 'false'],
    summary: 'Everybody sees it; =false withdraws that.',
  },
  organization: {
    type: 'optional',
    values: ['true', 'false'],
    summary: 'Everybody who signed in sees it; =false withdraws that.',
  },
  group: { type: 'list', placeholder: 'name', summary: 'A group that sees it; may be repeated.' },
  user: { type: 'list', placeholder: 'subject', summary: 'A person who sees it; may be repeated.' },
  'git-provider': {
    type: 'text',
    values: ['git-host-a', 'git-host-b', 'git-host-c'],
    summary: 'The git host whose deliveries the layer takes.',
  },
  'force-push-policy': {
    type: 'text',
    values: ['tolerant', 'strict'],
    summary: 'What a rewritten history means: follow it, or refuse it.',
  },
} as const satisfies Record<string, FlagDefinition>;

const NO_WAIT = {
  type: 'switch',
  summary: 'Return at once; the ingest goes on in the registry.',
} as const;

const NOT_TAKEN = 'an artifact was not taken, or the run failed';

export const layerRegisterDefinition = {
  name: 'layer register',
  section: 'Serve',
  summary: 'Register a layer, and wait until it is ingested.',
  description: [
    'A layer is a git repository or a folder on the machine of the registry. Registering an id again replaces the layer. The secret of its webhook is shown once.',
    'A layer that names nobody who sees it is a personal one, your own. Layers for others, and folders, are for admins where the registry asks who you are.',
  ],
  arguments: [ID],
  flags: {
    ...REGISTRY_FLAG,
    repo: { type: 'text', placeholder: 'address', summary: 'A git repository.' },
    ...LAYER_FLAGS,
    'no-wait': NO_WAIT,
  },
  exclusive: [['repo', 'local-path']],
  examples: [
    { command: 'catalog layer register base --local-path ./artifacts', summary: 'a folder' },
    {
      command:
        'catalog layer register team --repo https://git.example.com/team/skills.git --ref main --group platform',
      summary: 'a repository that one group sees',
    },
  ],
  exit_one: NOT_TAKEN,
  known_as: { publish: 'layer register <id>' },
} as const satisfies CommandDefinition;

export const layerUpdateDefinition = {
  name: 'layer update',
  section: 'Serve',
  summary: 'Change who sees a layer, or where it is read from.',
  description: ['What is not named stays. The source type and the repository cannot be changed.'],
  arguments: [ID],
  flags: {
    ...REGISTRY_FLAG,
    ...LAYER_FLAGS,
    'clear-groups': { type: 'switch', summary: 'No group sees it any more.' },
    'clear-users': { type: 'switch', summary: 'No single person sees it any more.' },
    'rotate-webhook-secret': { type: 'switch', summary: 'Make a new secret, shown once.' },
  },
  exclusive: [
    ['clear-groups', 'group'],
    ['clear-users', 'user'],
  ],
  examples: [
    { command: 'catalog layer update team --public=false', summary: 'take it out of the public' },
    {
      command: 'catalog layer update team --group platform --group security',
      summary: 'exactly these groups',
    },
    { command: 'catalog layer update team --clear-groups', summary: 'no group at all' },
  ],
} as const satisfies CommandDefinition;

export const layerListDefinition = {
  name: 'layer list',
  section: 'Serve',
  summary: 'List the layers of a registry, in the order they compose.',
  description: ['The layers you may read; a later one wins over an earlier one.'],
  arguments: [],
  flags: {
    ...REGISTRY_FLAG,
    deleted: { type: 'switch', summary: 'Those that were removed and can be restored.' },
  },
  examples: [{ command: 'catalog layer list', summary: 'all of them' }],
  known_as: { layers: 'layer list' },
} as const satisfies CommandDefinition;

export const layerRemoveDefinition = {
  name: 'layer remove',
  section: 'Serve',
  summary: 'Remove a layer and what it serves; it can be restored for a while.',
  description: ['What was delivered from it is removed by the next sync of each workspace.'],
  arguments: [ID],
  flags: { ...REGISTRY_FLAG },
  examples: [{ command: 'catalog layer remove team', summary: 'one layer' }],
} as const satisfies CommandDefinition;

export const layerRestoreDefinition = {
  name: 'layer restore',
  section: 'Serve',
  summary: 'Bring a removed layer back, with its artifacts.',
  description: ['`catalog layer list --deleted` shows which can be.'],
  arguments: [ID],
  flags: { ...REGISTRY_FLAG },
  examples: [{ command: 'catalog layer restore team', summary: 'one layer' }],
} as const satisfies CommandDefinition;

export const layerReorderDefinition = {
  name: 'layer reorder',
  section: 'Serve',
  summary: 'Put layers into the order they are named in.',
  description: [
    'A later layer wins over an earlier one. Layers that are not named stay where they are.',
  ],
  arguments: [
    {
      name: 'ids',
      summary: 'The layers, lowest precedence first.',
      required: true,
      repeated: true,
    },
  ],
  flags: { ...REGISTRY_FLAG },
  examples: [{ command: 'catalog layer reorder base team', summary: 'team over base' }],
} as const satisfies CommandDefinition;

export const layerReingestDefinition = {
  name: 'layer reingest',
  section: 'Serve',
  summary: 'Read the whole source of a layer again, and say what came of it.',
  description: [
    'Says what is new, what was removed, and what was not taken and why. A freeze window is overridden with --break-glass, which takes a justification and two approvers.',
  ],
  arguments: [ID],
  flags: {
    ...REGISTRY_FLAG,
    'no-wait': NO_WAIT,
    'break-glass': { type: 'switch', summary: 'Override a freeze window.' },
    justification: { type: 'text', placeholder: 'text', summary: 'Why it must be overridden.' },
    approver: {
      type: 'list',
      placeholder: 'subject',
      summary: 'An admin who approved it; may be repeated.',
    },
  },
  examples: [{ command: 'catalog layer reingest team', summary: 'one layer' }],
  exit_one: NOT_TAKEN,
  known_as: { ingest: 'layer reingest <id>' },
} as const satisfies CommandDefinition;

export const layerIngestsDefinition = {
  name: 'layer ingests',
  section: 'Serve',
  summary: 'Say what became of the last ingests of a layer, and of every rejected artifact.',
  description: ['The newest in full, with what to change where; those before it in one line each.'],
  arguments: [ID],
  flags: { ...REGISTRY_FLAG },
  examples: [{ command: 'catalog layer ingests team', summary: 'one layer' }],
} as const satisfies CommandDefinition;
