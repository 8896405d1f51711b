import { reorderLayers as endpoint } from '@catalog/contract/endpoints/layers';
import { reorderLayers } from '../../registry/layers/reorder-layers.ts';
import { defineRoute, json } from '../route.ts';

export const reorderLayersRoute = defineRoute(endpoint, async ({ registry, context, body }) =>
  json(await reorderLayers(registry, context, body)),
);
