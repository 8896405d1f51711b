import { getIngest as endpoint } from '@catalog/contract/endpoints/layers';
import { getIngest } from '../../registry/layers/get-ingest.ts';
import { defineRoute, json } from '../route.ts';

export const getIngestRoute = defineRoute(endpoint, async ({ registry, context, params }) =>
  json(await getIngest(registry, context, params)),
);
