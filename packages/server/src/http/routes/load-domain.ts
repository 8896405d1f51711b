import { loadDomain as endpoint } from '@catalog/contract/endpoints/discovery';
import { loadDomain } from '../../registry/discover/load-domain.ts';
import { defineRoute, json } from '../route.ts';

export const loadDomainRoute = defineRoute(endpoint, async ({ registry, context, query }) =>
  json(await loadDomain(registry, context, query)),
);
