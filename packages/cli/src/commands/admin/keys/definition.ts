import type { CommandDefinition } from '../../../command/definition.ts';
import { CONFIG_FLAGS } from '../../config-flags.ts';

const SERVER_CONFIG = {
  ...CONFIG_FLAGS.config,
  summary: 'Server configuration file, instead of ~/.catalog/registry.yaml.',
  env: 'CATALOG_CONFIG_FILE',
} as const;

const ROOT_KEY = {
  type: 'text',
  placeholder: 'file',
  completion: 'file',
} as const;

const RUNS_WITH =
  'Uses the same settings as `catalog serve`. On PostgreSQL, runs alongside the server. With SQLite, stop the server first.';

export const adminSignDefinition = {
  name: 'admin sign',
  section: 'Administer',
  summary: 'Sign stored versions and announce signing.',
  description: [
    'Signs every version without a valid signature: those stored before `sign` was set, and those whose key was revoked. Then announces signing: from then on, every version of the registry must be signed.',
    'Set `sign` for all servers and restart them first, so that no server stores unsigned versions meanwhile.',
    RUNS_WITH,
  ],
  arguments: [],
  flags: {
    all: { type: 'switch', summary: 'Sign all layers of all tenants (required).' },
    config: SERVER_CONFIG,
  },
  examples: [{ command: 'catalog admin sign --all', summary: 'sign everything and announce it' }],
  long_running: true,
} as const satisfies CommandDefinition;

export const adminKeysListDefinition = {
  name: 'admin keys list',
  section: 'Administer',
  summary: "List the registry's signing keys.",
  description: ['Shows the published key set and the private keys in sign_key_path.', RUNS_WITH],
  arguments: [],
  flags: { config: SERVER_CONFIG },
  examples: [{ command: 'catalog admin keys list', summary: 'show ids to pin' }],
} as const satisfies CommandDefinition;

export const adminKeysRotateDefinition = {
  name: 'admin keys rotate',
  section: 'Administer',
  summary: 'Publish a new signing key.',
  description: [
    'Creates the key file unless it exists, and publishes its public key next to the present ones. Clients accept the new key because a present one signs the key set.',
    'Afterward, put the new file first in sign_key_path, keep the old one second, and restart the servers. Then retire the old key.',
    'With --root-key, the key set is also signed with an offline root key that clients can pin. The first use adds the root key to the registry; later changes require it.',
    RUNS_WITH,
  ],
  arguments: [
    {
      name: 'key-file',
      summary: 'Private key (Ed25519, PEM); created if it does not exist.',
      required: true,
      completion: 'file',
    },
  ],
  flags: {
    expires: {
      type: 'text',
      placeholder: 'time',
      summary: 'Duration after which the key signs nothing, such as 365d.',
    },
    'root-key': { ...ROOT_KEY, summary: 'Private root key that signs the key set.' },
    config: SERVER_CONFIG,
  },
  examples: [
    {
      command: 'catalog admin keys rotate /etc/catalog/registry-2027.key',
      summary: 'publish a new key',
    },
  ],
} as const satisfies CommandDefinition;

export const adminKeysRetireDefinition = {
  name: 'admin keys retire',
  section: 'Administer',
  summary: 'Retire or revoke a signing key.',
  description: [
    'A retired key signs nothing more; its earlier signatures stay valid. With --revoke, signatures from the given time on become invalid, and versions with such signatures are signed again with the first key in sign_key_path.',
    'With --all, publishes that the registry no longer signs. This is the only way to turn signing off without failing clients.',
    RUNS_WITH,
  ],
  arguments: [
    {
      name: 'key',
      summary: 'Id of the key, or at least its first 8 digits.',
      required: false,
    },
  ],
  flags: {
    revoke: { type: 'switch', summary: 'Revoke the key, because someone else may have it.' },
    since: {
      type: 'text',
      placeholder: 'time',
      summary: 'With --revoke: time from which signatures are invalid. Defaults to now.',
    },
    all: { type: 'switch', summary: 'Retire all keys and turn signing off.' },
    'root-key': { ...ROOT_KEY, summary: 'Private root key that signs the key set.' },
    config: SERVER_CONFIG,
  },
  exclusive: [['revoke', 'all']],
  examples: [
    { command: 'catalog admin keys retire 3f1c9a20', summary: 'retire the previous key' },
    {
      command: 'catalog admin keys retire 3f1c9a20 --revoke --since 2026-11-01',
      summary: 'revoke a stolen key',
    },
  ],
  long_running: true,
} as const satisfies CommandDefinition;
