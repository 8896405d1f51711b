import * as endpoints from '@catalog/contract/endpoints/usage';
import { getArtifactUsage } from '../../registry/usage/get-artifact-usage.ts';
import { listPopular } from '../../registry/usage/list-popular.ts';
import { defineRoute, json, type Route } from '../route.ts';

const popularRoute = defineRoute(endpoints.popular, async ({ registry, context, query }) =>
  json(await listPopular(registry, context, query)),
);

const artifactUsageRoute = defineRoute(
  endpoints.getArtifactUsage,
  async ({ registry, context, query }) => json(await getArtifactUsage(registry, context, query)),
);

export const usageRoutes: readonly Route[] = [popularRoute, artifactUsageRoute];
