import type { CommandDefinition, FlagDefinition } from '../../../command/definition.ts';
import { CONFIG_FLAGS } from '../../config-flags.ts';

const REGISTRY_FLAG = { registry: CONFIG_FLAGS.registry } as const;

const TENANT = { name: 'tenant', summary: 'The tenant, by name or id.', required: true } as const;

/** What a tenant may use; the same when it is made and when it is changed. */
const QUOTA_FLAGS = {
  'storage-bytes': {
    type: 'text',
    placeholder: 'n',
    summary: 'Bytes it may hold; 0 is unlimited.',
  },
  'search-qps': {
    type: 'text',
    placeholder: 'n',
    summary: 'Searches a second; 0 is unlimited.',
  },
  'materialize-rate': {
    type: 'text',
    placeholder: 'n',
    summary: 'Artifacts loaded a second; 0 is unlimited.',
  },
  'audit-volume-per-day': {
    type: 'text',
    placeholder: 'n',
    summary: 'Audit records a day; 0 is unlimited.',
  },
  'max-user-layers': {
    type: 'text',
    placeholder: 'n',
    summary: 'Personal layers of one person; 0 is what the registry says, =-1 is no cap.',
  },
  'expose-scope-preview': {
    type: 'text',
    values: ['true', 'false', 'unset'],
    summary: 'Whether it tells how much its layers hold; unset leaves it to the registry.',
  },
  'extends-parents': {
    type: 'text',
    values: ['any', 'visible', 'unset'],
    summary: 'Which parents `extends` accepts; unset leaves it to the registry.',
  },
} as const satisfies Record<string, FlagDefinition>;

export const adminTenantListDefinition = {
  name: 'admin tenant list',
  section: 'Operate',
  summary: 'List the tenants of a registry and what each may use.',
  description: ['For operators of a multi-tenant registry.'],
  arguments: [],
  flags: { ...REGISTRY_FLAG },
  examples: [{ command: 'catalog admin tenant list', summary: 'all of them' }],
  known_as: { tenants: 'admin tenant list' },
} as const satisfies CommandDefinition;

export const adminTenantCreateDefinition = {
  name: 'admin tenant create',
  section: 'Operate',
  summary: 'Create a tenant, with its first admins.',
  description: [
    'The name is what the organization claim of its callers says. A tenant that has the name already stays as it is. What is not named here is what the registry gives to new tenants.',
  ],
  arguments: [{ name: 'name', summary: 'The name of the organization.', required: true }],
  flags: {
    ...REGISTRY_FLAG,
    admin: {
      type: 'list',
      placeholder: 'subject',
      summary: 'Somebody who is its admin from the start; may be repeated.',
    },
    ...QUOTA_FLAGS,
  },
  examples: [
    { command: 'catalog admin tenant create acme --admin alice', summary: 'with one admin' },
    {
      command: 'catalog admin tenant create acme --search-qps 50 --materialize-rate 500',
      summary: 'with limits',
    },
  ],
} as const satisfies CommandDefinition;

export const adminTenantUpdateDefinition = {
  name: 'admin tenant update',
  section: 'Operate',
  summary: 'Change what a tenant may use.',
  description: ['What is not named stays. The name cannot be changed.'],
  arguments: [TENANT],
  flags: { ...REGISTRY_FLAG, ...QUOTA_FLAGS },
  examples: [
    { command: 'catalog admin tenant update acme --search-qps 100', summary: 'one limit' },
    {
      command: 'catalog admin tenant update acme --max-user-layers=-1',
      summary: 'as many personal layers as people like',
    },
  ],
} as const satisfies CommandDefinition;

export const adminTenantDeactivateDefinition = {
  name: 'admin tenant deactivate',
  section: 'Operate',
  summary: 'Take a tenant out of service; what it holds stays.',
  description: ['Its callers are refused from the next request on, and its layers are not read.'],
  arguments: [TENANT],
  flags: { ...REGISTRY_FLAG },
  examples: [{ command: 'catalog admin tenant deactivate acme', summary: 'one tenant' }],
} as const satisfies CommandDefinition;

export const adminTenantActivateDefinition = {
  name: 'admin tenant activate',
  section: 'Operate',
  summary: 'Take a tenant into service again, with all it held.',
  description: ['`catalog admin tenant list` says which are out of service.'],
  arguments: [TENANT],
  flags: { ...REGISTRY_FLAG },
  examples: [{ command: 'catalog admin tenant activate acme', summary: 'one tenant' }],
} as const satisfies CommandDefinition;
