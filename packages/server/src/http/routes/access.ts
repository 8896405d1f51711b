import * as endpoints from '@catalog/contract/endpoints/access';
import { createTenant } from '../../registry/access/create-tenant.ts';
import { deactivateTenant } from '../../registry/access/deactivate-tenant.ts';
import { getQuota } from '../../registry/access/get-quota.ts';
import { getWhoami } from '../../registry/access/get-whoami.ts';
import { grantAdmin } from '../../registry/access/grant-admin.ts';
import { listAdmins } from '../../registry/access/list-admins.ts';
import { listTenants } from '../../registry/access/list-tenants.ts';
import { reviewAccess } from '../../registry/access/review-access.ts';
import { revokeAdmin } from '../../registry/access/revoke-admin.ts';
import { showEffective } from '../../registry/access/show-effective.ts';
import { updateTenant } from '../../registry/access/update-tenant.ts';
import { defineRoute, json, NO_CONTENT, type Route } from '../route.ts';

const grantAdminRoute = defineRoute(endpoints.grantAdmin, async ({ registry, context, body }) =>
  json(await grantAdmin(registry, context, body), 201),
);

const revokeAdminRoute = defineRoute(
  endpoints.revokeAdmin,
  async ({ registry, context, query }) => {
    await revokeAdmin(registry, context, query);
    return NO_CONTENT;
  },
);

const listAdminsRoute = defineRoute(endpoints.listAdmins, async ({ registry, context }) =>
  json(await listAdmins(registry, context)),
);

const showEffectiveRoute = defineRoute(
  endpoints.showEffective,
  async ({ registry, context, query: { user_id, email, group } }) =>
    json(await showEffective(registry, context, { user_id, email, groups: group })),
);

const reviewAccessRoute = defineRoute(
  endpoints.reviewAccess,
  async ({ registry, context, query }) => json(await reviewAccess(registry, context, query)),
);

const quotaRoute = defineRoute(endpoints.getQuota, async ({ registry, context }) =>
  json(await getQuota(registry, context)),
);

const whoamiRoute = defineRoute(endpoints.getWhoami, async ({ registry, context }) =>
  json(getWhoami(registry, context)),
);

const listTenantsRoute = defineRoute(endpoints.listTenants, async ({ registry }) =>
  json(await listTenants(registry)),
);

const createTenantRoute = defineRoute(
  endpoints.createTenant,
  async ({ registry, context, body }) => {
    const { tenant, is_new } = await createTenant(registry, context, body);
    return json(tenant, is_new ? 201 : 200);
  },
);

const updateTenantRoute = defineRoute(
  endpoints.updateTenant,
  async ({ registry, context, params, body }) =>
    json(await updateTenant(registry, context, { id: params.id, patch: body })),
);

const deactivateTenantRoute = defineRoute(
  endpoints.deactivateTenant,
  async ({ registry, context, params }) => {
    await deactivateTenant(registry, context, params);
    return NO_CONTENT;
  },
);

export const accessRoutes: readonly Route[] = [
  grantAdminRoute,
  revokeAdminRoute,
  listAdminsRoute,
  showEffectiveRoute,
  reviewAccessRoute,
  quotaRoute,
  whoamiRoute,
  listTenantsRoute,
  createTenantRoute,
  updateTenantRoute,
  deactivateTenantRoute,
];
