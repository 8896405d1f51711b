import * as endpoints from '@catalog/contract/endpoints/search-index';
import { getReembed } from '../../registry/search/get-reembed.ts';
import { reembed } from '../../registry/search/reembed.ts';
import { defineRoute, json, type Route } from '../route.ts';

const reembedRoute = defineRoute(endpoints.reembed, async ({ registry, context, query }) => {
  const answer = await reembed(registry, context, { ...query, wait: query.wait === 'true' });
  return answer.kind === 'begun' ? json(answer.job, 202) : json(answer.result);
});

const getReembedRoute = defineRoute(endpoints.getReembed, async ({ registry, context, params }) =>
  json(await getReembed(registry, context, params)),
);

export const searchIndexRoutes: readonly Route[] = [reembedRoute, getReembedRoute];
