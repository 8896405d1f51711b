import type { CommandDefinition } from '../../command/definition.ts';
import { CONFIG_FLAGS } from '../config-flags.ts';

const REGISTRY_FLAG = { registry: CONFIG_FLAGS.registry } as const;

const USER = {
  name: 'user',
  summary: 'Subject of the user, as issued by the identity provider.',
  required: true,
} as const;

export const adminGrantDefinition = {
  name: 'admin grant',
  section: 'Administer',
  summary: 'Grant a user the admin role.',
  description: [
    "Admins can change every layer of the tenant, register folders on the registry's machine, read every layer with as_admin, and grant the role to others. Takes effect with the next request.",
  ],
  arguments: [USER],
  flags: { ...REGISTRY_FLAG },
  examples: [{ command: 'catalog admin grant alice', summary: 'one user' }],
  known_as: { grant: 'admin grant <user>' },
} as const satisfies CommandDefinition;

export const adminRevokeDefinition = {
  name: 'admin revoke',
  section: 'Administer',
  summary: 'Revoke the admin role of a user.',
  description: [
    'Takes effect with the next request. Users listed in bootstrap_admins get the role back at the next server start.',
  ],
  arguments: [USER],
  flags: { ...REGISTRY_FLAG },
  examples: [{ command: 'catalog admin revoke alice', summary: 'one user' }],
  known_as: { revoke: 'admin revoke <user>' },
} as const satisfies CommandDefinition;

export const adminAdminsDefinition = {
  name: 'admin admins',
  section: 'Administer',
  summary: 'List the admins of the tenant.',
  description: ['Also shows who granted the role; `system:bootstrap` means the configuration.'],
  arguments: [],
  flags: { ...REGISTRY_FLAG },
  examples: [{ command: 'catalog admin admins', summary: 'list all' }],
} as const satisfies CommandDefinition;

export const adminAccessReviewDefinition = {
  name: 'admin access-review',
  section: 'Administer',
  summary: 'List users with their role, groups, and layers.',
  description: [
    'Prints CSV with one line per role, group, and layer of each user, and the time of the last recorded read. Lines with the user `*` are layers that all users, or all callers, can read. With --json, prints one document per user. Groups that only a token contains are unknown to the registry.',
  ],
  arguments: [],
  flags: { ...REGISTRY_FLAG },
  examples: [
    { command: 'catalog admin access-review > review.csv', summary: 'a table for a spreadsheet' },
    { command: 'catalog admin access-review --json', summary: 'one document per user' },
  ],
} as const satisfies CommandDefinition;

export const adminShowEffectiveDefinition = {
  name: 'admin show-effective',
  section: 'Administer',
  summary: 'Show which layers a user can read.',
  description: [
    'Shows the reason for each layer. Groups from the directory are included automatically. Pass groups and the email address that only a token carries with --group and --email.',
  ],
  arguments: [USER],
  flags: {
    ...REGISTRY_FLAG,
    group: {
      type: 'list',
      placeholder: 'name',
      summary: 'Group of the user; may be repeated.',
    },
    email: {
      type: 'text',
      placeholder: 'address',
      summary: 'Email address of the user.',
    },
  },
  examples: [
    { command: 'catalog admin show-effective alice', summary: 'one user' },
    {
      command: 'catalog admin show-effective alice --group platform --email alice@example.com',
      summary: 'include token claims',
    },
  ],
} as const satisfies CommandDefinition;
