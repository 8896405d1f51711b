import { listAdmins as endpoint } from '@catalog/contract/endpoints/access';
import { listAdmins } from '../../registry/access/list-admins.ts';
import { defineRoute, json } from '../route.ts';

export const listAdminsRoute = defineRoute(endpoint, async ({ registry, context }) =>
  json(await listAdmins(registry, context)),
);
