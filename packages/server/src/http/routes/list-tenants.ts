import { listTenants as endpoint } from '@catalog/contract/endpoints/access';
import { listTenants } from '../../registry/access/list-tenants.ts';
import { defineRoute, json } from '../route.ts';

export const listTenantsRoute = defineRoute(endpoint, async ({ registry }) =>
  json(await listTenants(registry)),
);
