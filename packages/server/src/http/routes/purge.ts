import * as endpoints from '@catalog/contract/endpoints/purge';
import { purgeArtifact } from '../../registry/purge/purge-artifact.ts';
import { defineRoute, json, type Route } from '../route.ts';

const purgeRoute = defineRoute(endpoints.purge, async ({ registry, context, body }) =>
  json(await purgeArtifact(registry, context, body)),
);

export const purgeRoutes: readonly Route[] = [purgeRoute];
