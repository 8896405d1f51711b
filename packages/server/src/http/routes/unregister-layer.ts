import { unregisterLayer as endpoint } from '@catalog/contract/endpoints/layers';
import { unregisterLayer } from '../../registry/layers/unregister-layer.ts';
import { defineRoute, json } from '../route.ts';

export const unregisterLayerRoute = defineRoute(endpoint, async ({ registry, context, query }) =>
  json(await unregisterLayer(registry, context, query)),
);
