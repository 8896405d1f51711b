import { batchLoad as endpoint } from '@catalog/contract/endpoints/materialization';
import { batchLoad } from '../../registry/load/batch-load.ts';
import { defineRoute, json } from '../route.ts';

export const batchLoadRoute = defineRoute(endpoint, async ({ registry, context, body }) =>
  json(await batchLoad(registry, context, body)),
);
