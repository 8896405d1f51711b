import { registerLayer as endpoint } from '@catalog/contract/endpoints/layers';
import { registerLayer } from '../../registry/layers/register-layer.ts';
import { defineRoute, json } from '../route.ts';

export const registerLayerRoute = defineRoute(endpoint, async ({ registry, context, body }) =>
  json(await registerLayer(registry, context, body), 201),
);
