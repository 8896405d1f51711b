import { searchDomains as endpoint } from '@catalog/contract/endpoints/discovery';
import { searchDomains } from '../../registry/discover/search-domains.ts';
import { defineRoute, json } from '../route.ts';

export const searchDomainsRoute = defineRoute(endpoint, async ({ registry, context, query }) =>
  json(await searchDomains(registry, context, query)),
);
