import { createTenant as endpoint } from '@catalog/contract/endpoints/access';
import { createTenant } from '../../registry/access/create-tenant.ts';
import { defineRoute, json } from '../route.ts';

export const createTenantRoute = defineRoute(endpoint, async ({ registry, context, body }) => {
  const { tenant, is_new } = await createTenant(registry, context, body);
  return json(tenant, is_new ? 201 : 200);
});
