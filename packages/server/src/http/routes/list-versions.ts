import { listVersions as endpoint } from '@catalog/contract/endpoints/materialization';
import { listVersions } from '../../registry/load/list-versions.ts';
import { defineRoute, json } from '../route.ts';

export const listVersionsRoute = defineRoute(endpoint, async ({ registry, context, query }) =>
  json(await listVersions(registry, context, query.id)),
);
