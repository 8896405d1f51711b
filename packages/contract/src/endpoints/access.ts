import { z } from 'zod';
import {
  adminList,
  createTenantBody,
  effectiveView,
  grantBody,
  grantedAdmin,
  quota,
  tenant,
  tenantList,
  updateTenantBody,
} from '../records/access.ts';
import { text } from './arguments.ts';
import { defineEndpoint } from './endpoint.ts';

const userId = text.min(1).meta({ description: 'The subject.', examples: ['alice'] });
const tenantId = z.strictObject({ id: text.min(1).describe('The id of the tenant.') });

export const grantAdmin = defineEndpoint({
  name: 'grant_admin',
  methods: ['POST'],
  path: '/v1/admin/grants',
  summary: 'Gives somebody the admin role of the tenant.',
  access: 'admin',
  writes: true,
  body: grantBody,
  responses: { 201: grantedAdmin },
  errors: ['auth.forbidden', 'quota.audit_volume_exceeded'],
});

export const revokeAdmin = defineEndpoint({
  name: 'revoke_admin',
  methods: ['DELETE'],
  path: '/v1/admin/grants',
  summary: 'Takes the admin role of the tenant from somebody.',
  access: 'admin',
  writes: true,
  query: z.strictObject({ user_id: userId }),
  responses: { 204: null },
  errors: ['auth.forbidden'],
});

/** An addition. */
export const listAdmins = defineEndpoint({
  name: 'list_admins',
  methods: ['GET'],
  path: '/v1/admin/grants',
  summary: 'Who holds the admin role of the tenant.',
  access: 'admin',
  writes: false,
  responses: { 200: adminList },
  errors: ['auth.forbidden'],
});

export const showEffective = defineEndpoint({
  name: 'show_effective',
  methods: ['GET'],
  path: '/v1/admin/show-effective',
  summary: 'Which layers somebody sees, and why.',
  access: 'admin',
  writes: false,
  query: z.strictObject({
    user_id: userId,
    group: z
      .array(text)
      .default([])
      .describe('A group to count the user in; may stand several times.'),
    /** An addition: layers may name people by it, and only a token says which it is. */
    email: text.default('').describe('The e-mail address to count as theirs.'),
  }),
  responses: { 200: effectiveView },
  errors: ['auth.forbidden'],
});

export const getQuota = defineEndpoint({
  name: 'quota',
  methods: ['GET'],
  path: '/v1/quota',
  summary: 'What the tenant may use, and uses.',
  access: 'read',
  writes: false,
  responses: { 200: quota },
  errors: ['registry.not_found'],
});

export const listTenants = defineEndpoint({
  name: 'list_tenants',
  methods: ['GET'],
  path: '/v1/admin/tenants',
  summary: 'Every tenant of the registry.',
  access: 'operator',
  writes: false,
  responses: { 200: tenantList },
  errors: ['auth.forbidden', 'registry.tenant_management_unavailable'],
});

export const createTenant = defineEndpoint({
  name: 'create_tenant',
  methods: ['POST'],
  path: '/v1/admin/tenants',
  summary: 'Creates a tenant; one that has the name is answered unchanged.',
  access: 'operator',
  writes: true,
  body: createTenantBody,
  responses: { 200: tenant, 201: tenant },
  errors: ['auth.forbidden', 'registry.tenant_management_unavailable'],
});

export const updateTenant = defineEndpoint({
  name: 'update_tenant',
  methods: ['PATCH'],
  path: '/v1/admin/tenants/{id}',
  summary: 'Changes what the body names of a tenant.',
  access: 'operator',
  writes: true,
  params: tenantId,
  body: updateTenantBody,
  responses: { 200: tenant },
  errors: ['auth.forbidden', 'registry.tenant_management_unavailable', 'registry.tenant_not_found'],
});

export const deactivateTenant = defineEndpoint({
  name: 'deactivate_tenant',
  methods: ['DELETE'],
  path: '/v1/admin/tenants/{id}',
  summary: 'Deactivates a tenant; its data stays.',
  access: 'operator',
  writes: true,
  params: tenantId,
  responses: { 204: null },
  errors: ['auth.forbidden', 'registry.tenant_management_unavailable', 'registry.tenant_not_found'],
});
