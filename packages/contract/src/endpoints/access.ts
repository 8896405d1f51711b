import { z } from 'zod';
import {
  accessReview,
  adminList,
  createTenantBody,
  effectiveView,
  grantBody,
  grantedAdmin,
  quota,
  tenant,
  tenantList,
  updateTenantBody,
  whoami,
} from '../records/access.ts';
import { text } from './arguments.ts';
import { defineEndpoint, type Endpoint } from './endpoint.ts';

const userId = text.min(1).meta({ description: 'Subject of the user.', examples: ['alice'] });
const tenantId = z.strictObject({ id: text.min(1).describe('Tenant id.') });

export const grantAdmin = defineEndpoint({
  name: 'grant_admin',
  methods: ['POST'],
  path: '/v1/admin/grants',
  summary: 'Grants the tenant admin role to a user.',
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
  summary: 'Revokes the tenant admin role from a user.',
  access: 'admin',
  writes: true,
  query: z.strictObject({ user_id: userId }),
  responses: { 204: null },
  errors: ['auth.forbidden'],
});

/** An addition of catalog to the specification. */
export const listAdmins = defineEndpoint({
  name: 'list_admins',
  methods: ['GET'],
  path: '/v1/admin/grants',
  summary: 'Lists the users who hold the tenant admin role.',
  access: 'admin',
  writes: false,
  responses: { 200: adminList },
  errors: ['auth.forbidden'],
});

export const showEffective = defineEndpoint({
  name: 'show_effective',
  methods: ['GET'],
  path: '/v1/admin/show-effective',
  summary: 'Shows which layers a user can see, and why.',
  access: 'admin',
  writes: false,
  query: z.strictObject({
    user_id: userId,
    group: z.array(text).default([]).describe('Group to assume for the user; repeatable.'),
    /**
     * An addition of catalog to the specification. Layers may refer to users by e-mail address, which only a token
     * contains.
     */
    email: text.default('').describe('Email address to assume for the user.'),
  }),
  responses: { 200: effectiveView },
  errors: ['auth.forbidden'],
});

/** Addition to the specification. */
export const reviewAccess = defineEndpoint({
  name: 'access_review',
  methods: ['GET'],
  path: '/v1/admin/access-review',
  summary: 'Lists users with their role, groups, layers, and last read.',
  access: 'admin',
  writes: false,
  query: z.strictObject({
    limit: z.coerce
      .number<number>()
      .int()
      .min(1)
      .max(100)
      .default(100)
      .describe('Maximum number of users from the directory per page.'),
    cursor: text.default('').describe('`next_cursor` of the previous page.'),
  }),
  responses: { 200: accessReview },
  errors: ['auth.forbidden'],
});

export const getQuota = defineEndpoint({
  name: 'quota',
  methods: ['GET'],
  path: '/v1/quota',
  summary: 'Returns the limits and current usage of the tenant.',
  access: 'read',
  writes: false,
  responses: { 200: quota },
  errors: ['registry.not_found'],
});

/** An addition of catalog to the specification. */
export const getWhoami = defineEndpoint({
  name: 'whoami',
  methods: ['GET'],
  path: '/v1/whoami',
  summary: 'Returns the subject, email address and role that the registry uses for the caller.',
  access: 'read',
  writes: false,
  responses: { 200: whoami },
  errors: [],
});

export const listTenants = defineEndpoint({
  name: 'list_tenants',
  methods: ['GET'],
  path: '/v1/admin/tenants',
  summary: 'Lists every tenant of the registry.',
  access: 'operator',
  writes: false,
  responses: { 200: tenantList },
  errors: ['auth.forbidden', 'registry.tenant_management_unavailable'],
});

export const createTenant = defineEndpoint({
  name: 'create_tenant',
  methods: ['POST'],
  path: '/v1/admin/tenants',
  summary: 'Creates a tenant. If the name exists, returns that tenant unchanged.',
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
  summary: 'Updates the tenant fields present in the body.',
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
  summary: 'Deactivates a tenant and keeps its data.',
  access: 'operator',
  writes: true,
  params: tenantId,
  responses: { 204: null },
  errors: ['auth.forbidden', 'registry.tenant_management_unavailable', 'registry.tenant_not_found'],
});

export const accessEndpoints: readonly Endpoint[] = [
  grantAdmin,
  revokeAdmin,
  listAdmins,
  showEffective,
  reviewAccess,
  getQuota,
  getWhoami,
  listTenants,
  createTenant,
  updateTenant,
  deactivateTenant,
];
