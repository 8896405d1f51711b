import { updateTenant as endpoint } from '@catalog/contract/endpoints/access';
import { updateTenant } from '../../registry/access/update-tenant.ts';
import { defineRoute, json } from '../route.ts';

export const updateTenantRoute = defineRoute(
  endpoint,
  async ({ registry, context, params, body }) =>
    json(await updateTenant(registry, context, { id: params.id, patch: body })),
);
