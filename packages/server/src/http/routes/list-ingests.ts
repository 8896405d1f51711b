import { listIngests as endpoint } from '@catalog/contract/endpoints/layers';
import { listIngests } from '../../registry/layers/list-ingests.ts';
import { defineRoute, json } from '../route.ts';

export const listIngestsRoute = defineRoute(endpoint, async ({ registry, context, query }) =>
  json(await listIngests(registry, context, query)),
);
