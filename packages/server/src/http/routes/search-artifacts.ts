import { searchArtifacts as endpoint } from '@catalog/contract/endpoints/discovery';
import { searchArtifacts } from '../../registry/discover/search-artifacts.ts';
import { defineRoute, json } from '../route.ts';

export const searchArtifactsRoute = defineRoute(endpoint, async ({ registry, context, query }) =>
  json(await searchArtifacts(registry, context, { ...query, tags: splitTags(query.tags) })),
);

function splitTags(tags: string): string[] {
  return tags
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}
