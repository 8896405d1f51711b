import { analyzeDomain as endpoint } from '@catalog/contract/endpoints/discovery';
import { analyzeDomain } from '../../registry/discover/analyze-domain.ts';
import { defineRoute, json } from '../route.ts';

export const analyzeDomainRoute = defineRoute(endpoint, async ({ registry, context, query }) =>
  json(await analyzeDomain(registry, context, query.path)),
);
