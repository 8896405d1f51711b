import { deactivateTenant as endpoint } from '@catalog/contract/endpoints/access';
import { deactivateTenant } from '../../registry/access/deactivate-tenant.ts';
import { defineRoute, NO_CONTENT } from '../route.ts';

export const deactivateTenantRoute = defineRoute(
  endpoint,
  async ({ registry, context, params }) => {
    await deactivateTenant(registry, context, params);
    return NO_CONTENT;
  },
);
