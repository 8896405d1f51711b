import type { CommandDefinition, FlagDefinition } from '../../../command/definition.ts';
import { CONFIG_FLAGS } from '../../config-flags.ts';

const REGISTRY_FLAG = { registry: CONFIG_FLAGS.registry } as const;

const TENANT = { name: 'tenant', summary: 'Tenant, by name or id.', required: true } as const;

const QUOTA_FLAGS = {
  'storage-bytes': {
    type: 'text',
    placeholder: 'n',
    summary: 'Maximum storage in bytes; 0 means unlimited.',
  },
  'search-qps': {
    type: 'text',
    placeholder: 'n',
    summary: 'Maximum searches per second; 0 means unlimited.',
  },
  'materialize-rate': {
    type: 'text',
    placeholder: 'n',
    summary: 'Maximum artifacts loaded per second; 0 means unlimited.',
  },
  'audit-volume-per-day': {
    type: 'text',
    placeholder: 'n',
    summary: 'Maximum audit records per day; 0 means unlimited.',
  },
  'max-user-layers': {
    type: 'text',
    placeholder: 'n',
    summary: 'Maximum personal layers per user; 0 uses the registry default, =-1 means unlimited.',
  },
  'expose-scope-preview': {
    type: 'text',
    values: ['true', 'false', 'unset'],
    summary: 'Show how much each layer contains; `unset` uses the registry default.',
  },
  'extends-parents': {
    type: 'text',
    values: ['any', 'visible', 'unset'],
    summary: 'Parents that `extends` accepts; `unset` uses the registry default.',
  },
} as const satisfies Record<string, FlagDefinition>;

export const adminTenantListDefinition = {
  name: 'admin tenant list',
  section: 'Administer',
  summary: 'List tenants and their limits.',
  description: ['For operators of a multi-tenant registry.'],
  arguments: [],
  flags: { ...REGISTRY_FLAG },
  examples: [{ command: 'catalog admin tenant list', summary: 'list all' }],
  known_as: { tenants: 'admin tenant list' },
} as const satisfies CommandDefinition;

export const adminTenantCreateDefinition = {
  name: 'admin tenant create',
  section: 'Administer',
  summary: 'Create a tenant.',
  description: [
    'The name matches the organization claim of callers. An existing tenant with this name is not changed. Limits you do not pass use the registry defaults.',
  ],
  arguments: [{ name: 'name', summary: 'Name of the organization.', required: true }],
  flags: {
    ...REGISTRY_FLAG,
    admin: {
      type: 'list',
      placeholder: 'subject',
      summary: 'Initial admin; may be repeated.',
    },
    ...QUOTA_FLAGS,
  },
  examples: [
    {
      command: 'catalog admin tenant create acme --admin alice',
      summary: 'create a tenant with one admin',
    },
    {
      command: 'catalog admin tenant create acme --search-qps 50 --materialize-rate 500',
      summary: 'create a tenant with limits',
    },
  ],
} as const satisfies CommandDefinition;

export const adminTenantUpdateDefinition = {
  name: 'admin tenant update',
  section: 'Administer',
  summary: 'Change the limits of a tenant.',
  description: ['Limits you do not pass stay unchanged. The name cannot be changed.'],
  arguments: [TENANT],
  flags: { ...REGISTRY_FLAG, ...QUOTA_FLAGS },
  examples: [
    { command: 'catalog admin tenant update acme --search-qps 100', summary: 'change one limit' },
    {
      command: 'catalog admin tenant update acme --max-user-layers=-1',
      summary: 'allow unlimited personal layers',
    },
  ],
} as const satisfies CommandDefinition;

export const adminTenantDeactivateDefinition = {
  name: 'admin tenant deactivate',
  section: 'Administer',
  summary: 'Deactivate a tenant and keep its data.',
  description: [
    'Requests of the tenant are rejected immediately, and its layers are no longer ingested.',
  ],
  arguments: [TENANT],
  flags: { ...REGISTRY_FLAG },
  examples: [{ command: 'catalog admin tenant deactivate acme', summary: 'one tenant' }],
} as const satisfies CommandDefinition;

export const adminTenantActivateDefinition = {
  name: 'admin tenant activate',
  section: 'Administer',
  summary: 'Reactivate a tenant.',
  description: ['To list inactive tenants, run `catalog admin tenant list`.'],
  arguments: [TENANT],
  flags: { ...REGISTRY_FLAG },
  examples: [{ command: 'catalog admin tenant activate acme', summary: 'one tenant' }],
} as const satisfies CommandDefinition;
