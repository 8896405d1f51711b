import { grantAdmin as endpoint } from '@catalog/contract/endpoints/access';
import { grantAdmin } from '../../registry/access/grant-admin.ts';
import { defineRoute, json } from '../route.ts';

export const grantAdminRoute = defineRoute(endpoint, async ({ registry, context, body }) =>
  json(await grantAdmin(registry, context, body), 201),
);
