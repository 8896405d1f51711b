import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

const REGISTRY_FLAG = { registry: CONFIG_FLAGS.registry } as const;

const USER = {
  name: 'user',
  summary: 'The subject, as the identity provider names it.',
  required: true,
} as const;

export const adminGrantDefinition = {
  name: 'admin grant',
  section: 'Operate',
  summary: 'Give somebody the admin role of the tenant.',
  description: [
    'An admin may change every layer of the tenant, name folders on the machine of the registry, look into every layer with as_admin, and give the role to others. It holds from the next request on.',
  ],
  arguments: [USER],
  flags: { ...REGISTRY_FLAG },
  examples: [{ command: 'catalog admin grant alice', summary: 'one person' }],
  known_as: { grant: 'admin grant <user>' },
} as const satisfies CommandDefinition;

export const adminRevokeDefinition = {
  name: 'admin revoke',
  section: 'Operate',
  summary: 'Take the admin role of the tenant from somebody.',
  description: [
    'It holds from the next request on. Somebody whom bootstrap_admins names gets the role again at the next start of the registry.',
  ],
  arguments: [USER],
  flags: { ...REGISTRY_FLAG },
  examples: [{ command: 'catalog admin revoke alice', summary: 'one person' }],
  known_as: { revoke: 'admin revoke <user>' },
} as const satisfies CommandDefinition;

export const adminAdminsDefinition = {
  name: 'admin admins',
  section: 'Operate',
  summary: 'List who holds the admin role of the tenant, and who gave it.',
  description: ['`system:bootstrap` gave it to those whom the configuration names.'],
  arguments: [],
  flags: { ...REGISTRY_FLAG },
  examples: [{ command: 'catalog admin admins', summary: 'all of them' }],
} as const satisfies CommandDefinition;

export const adminShowEffectiveDefinition = {
  name: 'admin show-effective',
  section: 'Operate',
  summary: 'Say which layers somebody sees, and why.',
  description: [
    'Groups that the directory records count by themselves; those that only a token carries are named with --group, and so is the e-mail address with --email.',
  ],
  arguments: [USER],
  flags: {
    ...REGISTRY_FLAG,
    group: {
      type: 'list',
      placeholder: 'name',
      summary: 'A group to count the user in; may be repeated.',
    },
    email: {
      type: 'text',
      placeholder: 'address',
      summary: 'The e-mail address to count as theirs.',
    },
  },
  examples: [
    { command: 'catalog admin show-effective alice', summary: 'one person' },
    {
      command: 'catalog admin show-effective alice --group platform --email alice@example.com',
      summary: 'with what their token would say',
    },
  ],
} as const satisfies CommandDefinition;
