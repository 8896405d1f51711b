import { showEffective as endpoint } from '@catalog/contract/endpoints/access';
import { showEffective } from '../../registry/access/show-effective.ts';
import { defineRoute, json } from '../route.ts';

export const showEffectiveRoute = defineRoute(
  endpoint,
  async ({ registry, context, query: { user_id, email, group } }) =>
    json(await showEffective(registry, context, { user_id, email, groups: group })),
);
