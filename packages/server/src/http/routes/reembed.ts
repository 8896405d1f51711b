import { reembed as endpoint } from '@catalog/contract/endpoints/search-index';
import { reembed } from '../../registry/search/reembed.ts';
import { defineRoute, json } from '../route.ts';

export const reembedRoute = defineRoute(endpoint, async ({ registry, context, query }) => {
  const answer = await reembed(registry, context, { ...query, wait: query.wait === 'true' });
  return answer.kind === 'begun' ? json(answer.job, 202) : json(answer.result);
});
