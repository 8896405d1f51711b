import { restoreLayer as endpoint } from '@catalog/contract/endpoints/layers';
import { restoreLayer } from '../../registry/layers/restore-layer.ts';
import { defineRoute, json } from '../route.ts';

export const restoreLayerRoute = defineRoute(endpoint, async ({ registry, context, query }) =>
  json(await restoreLayer(registry, context, query)),
);
