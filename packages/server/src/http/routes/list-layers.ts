import { listLayers as endpoint } from '@catalog/contract/endpoints/layers';
import { listLayers } from '../../registry/layers/list-layers.ts';
import { defineRoute, json } from '../route.ts';

export const listLayersRoute = defineRoute(endpoint, async ({ registry, context, query }) =>
  json(
    await listLayers(registry, context, {
      deleted: query.deleted === 'true' || query.deleted === '1',
    }),
  ),
);
