import { updateLayer as endpoint } from '@catalog/contract/endpoints/layers';
import { updateLayer } from '../../registry/layers/update-layer.ts';
import { defineRoute, json } from '../route.ts';

export const updateLayerRoute = defineRoute(endpoint, async ({ registry, context, query, body }) =>
  json(await updateLayer(registry, context, { id: query.id, patch: body })),
);
