import { revokeAdmin as endpoint } from '@catalog/contract/endpoints/access';
import { revokeAdmin } from '../../registry/access/revoke-admin.ts';
import { defineRoute, NO_CONTENT } from '../route.ts';

export const revokeAdminRoute = defineRoute(endpoint, async ({ registry, context, query }) => {
  await revokeAdmin(registry, context, query);
  return NO_CONTENT;
});
