import type { WebUi } from '../../browser/open-web-ui.ts';
import type { TokenSource } from '../../identity/token-source.ts';
import type { Route } from '../route.ts';
import type { ScimAuthority } from '../scim/scim-authority.ts';
import { scimRoutes } from '../scim/scim-routes.ts';
import { analyzeDomainRoute } from './analyze-domain.ts';
import { batchLoadRoute } from './batch-load.ts';
import { catalogRoute } from './catalog.ts';
import { createTenantRoute } from './create-tenant.ts';
import { deactivateTenantRoute } from './deactivate-tenant.ts';
import { dependentsRoute } from './dependents.ts';
import { eventsRoute } from './events.ts';
import { getIngestRoute } from './get-ingest.ts';
import { getReembedRoute } from './get-reembed.ts';
import { grantAdminRoute } from './grant-admin.ts';
import { healthzRoute, readyzRoute } from './health.ts';
import { ingestWebhookRoute } from './ingest-webhook.ts';
import { listAdminsRoute } from './list-admins.ts';
import { listIngestsRoute } from './list-ingests.ts';
import { listLayersRoute } from './list-layers.ts';
import { listTenantsRoute } from './list-tenants.ts';
import { listVersionsRoute } from './list-versions.ts';
import { loadArtifactRoute } from './load-artifact.ts';
import { loadDomainRoute } from './load-domain.ts';
import { metricsRoute, type Measurements } from './metrics.ts';
import { objectsRoute } from './objects.ts';
import { openApiRoute } from './openapi.ts';
import { previewScopeRoute } from './preview-scope.ts';
import { quotaRoute } from './quota.ts';
import { reembedRoute } from './reembed.ts';
import { registerLayerRoute } from './register-layer.ts';
import { reingestLayerRoute } from './reingest-layer.ts';
import { reorderLayersRoute } from './reorder-layers.ts';
import { resourceMetadataRoute } from './resource-metadata.ts';
import { restoreLayerRoute } from './restore-layer.ts';
import { revokeAdminRoute } from './revoke-admin.ts';
import { searchArtifactsRoute } from './search-artifacts.ts';
import { searchDomainsRoute } from './search-domains.ts';
import { sessionRoute } from './session.ts';
import { showEffectiveRoute } from './show-effective.ts';
import { signInCallbackRoute } from './sign-in-callback.ts';
import { signInRoute } from './sign-in.ts';
import { signOutRoute } from './sign-out.ts';
import { syncManifestRoute } from './sync-manifest.ts';
import { unregisterLayerRoute } from './unregister-layer.ts';
import { updateLayerRoute } from './update-layer.ts';
import { updateTenantRoute } from './update-tenant.ts';
import { webUiRoutes } from './web-ui.ts';

/** What some routes serve beside the registry itself. */
export interface RouteSources {
  /** Absent where metrics are switched off: the path is then like any other nobody serves (OPS-07). */
  measurements?: Measurements | undefined;
  /** Absent where the web UI is not served; its paths are then like any other, too (UI-10, UI-11). */
  web_ui?: WebUi | undefined;
  /** Absent where no issuer's tokens are taken. */
  token_source?: TokenSource | undefined;
  /** Absent where no directory may push; its paths are then like any other (SCIM-03). */
  scim?: ScimAuthority | undefined;
}

const ALWAYS: readonly Route[] = [
  loadDomainRoute,
  searchDomainsRoute,
  searchArtifactsRoute,
  catalogRoute,
  syncManifestRoute,
  dependentsRoute,
  analyzeDomainRoute,
  previewScopeRoute,
  loadArtifactRoute,
  batchLoadRoute,
  listVersionsRoute,
  objectsRoute,
  registerLayerRoute,
  listLayersRoute,
  unregisterLayerRoute,
  updateLayerRoute,
  restoreLayerRoute,
  reorderLayersRoute,
  reingestLayerRoute,
  listIngestsRoute,
  getIngestRoute,
  ingestWebhookRoute,
  grantAdminRoute,
  revokeAdminRoute,
  listAdminsRoute,
  showEffectiveRoute,
  quotaRoute,
  listTenantsRoute,
  createTenantRoute,
  updateTenantRoute,
  deactivateTenantRoute,
  reembedRoute,
  getReembedRoute,
  eventsRoute,
  healthzRoute,
  readyzRoute,
  openApiRoute,
];

/** Every route of the registry. */
export function allRoutes({ measurements, web_ui, token_source, scim }: RouteSources): Route[] {
  const routes = [...ALWAYS];
  if (measurements !== undefined) routes.push(metricsRoute(measurements));
  if (token_source !== undefined) routes.push(resourceMetadataRoute(token_source));
  if (scim !== undefined) routes.push(...scimRoutes(scim));
  if (web_ui === undefined) return routes;
  const { files, sign_in } = web_ui;
  routes.push(...webUiRoutes(files), sessionRoute(sign_in !== undefined));
  if (sign_in === undefined) return routes;
  return [...routes, signInRoute(sign_in), signInCallbackRoute(sign_in), signOutRoute];
}
