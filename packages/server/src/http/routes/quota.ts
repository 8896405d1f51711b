import { getQuota as endpoint } from '@catalog/contract/endpoints/access';
import { getQuota } from '../../registry/access/get-quota.ts';
import { defineRoute, json } from '../route.ts';

export const quotaRoute = defineRoute(endpoint, async ({ registry, context }) =>
  json(await getQuota(registry, context)),
);
