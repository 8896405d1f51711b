import { previewScope as endpoint } from '@catalog/contract/endpoints/discovery';
import { previewScope } from '../../registry/discover/preview-scope.ts';
import { defineRoute, json } from '../route.ts';

export const previewScopeRoute = defineRoute(endpoint, async ({ registry, context }) =>
  json(await previewScope(registry, context)),
);
