import { dependents as endpoint } from '@catalog/contract/endpoints/discovery';
import { listDependents } from '../../registry/discover/list-dependents.ts';
import { defineRoute, json } from '../route.ts';

export const dependentsRoute = defineRoute(endpoint, async ({ registry, context, query }) =>
  json(await listDependents(registry, context, query.id)),
);
