import { getReembed as endpoint } from '@catalog/contract/endpoints/search-index';
import { getReembed } from '../../registry/search/get-reembed.ts';
import { defineRoute, json } from '../route.ts';

export const getReembedRoute = defineRoute(endpoint, async ({ registry, context, params }) =>
  json(await getReembed(registry, context, params)),
);
