import type { Route } from '../route.ts';
import { analyzeDomainRoute } from './analyze-domain.ts';
import { batchLoadRoute } from './batch-load.ts';
import { catalogRoute } from './catalog.ts';
import { dependentsRoute } from './dependents.ts';
import { eventsRoute } from './events.ts';
import { getIngestRoute } from './get-ingest.ts';
import { healthzRoute, readyzRoute } from './health.ts';
import { ingestWebhookRoute } from './ingest-webhook.ts';
import { listIngestsRoute } from './list-ingests.ts';
import { listLayersRoute } from './list-layers.ts';
import { listVersionsRoute } from './list-versions.ts';
import { loadArtifactRoute } from './load-artifact.ts';
import { loadDomainRoute } from './load-domain.ts';
import { metricsRoute, type Measurements } from './metrics.ts';
import { objectsRoute } from './objects.ts';
import { openApiRoute } from './openapi.ts';
import { previewScopeRoute } from './preview-scope.ts';
import { registerLayerRoute } from './register-layer.ts';
import { reingestLayerRoute } from './reingest-layer.ts';
import { reorderLayersRoute } from './reorder-layers.ts';
import { restoreLayerRoute } from './restore-layer.ts';
import { searchArtifactsRoute } from './search-artifacts.ts';
import { searchDomainsRoute } from './search-domains.ts';
import { syncManifestRoute } from './sync-manifest.ts';
import { unregisterLayerRoute } from './unregister-layer.ts';
import { updateLayerRoute } from './update-layer.ts';

/** What some routes serve beside the registry itself. */
export interface RouteSources {
  /** Absent where metrics are switched off: the path is then like any other nobody serves (OPS-07). */
  measurements?: Measurements | undefined;
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
  eventsRoute,
  healthzRoute,
  readyzRoute,
  openApiRoute,
];

/** Every route of the registry. */
export function allRoutes({ measurements }: RouteSources): Route[] {
  return measurements === undefined ? [...ALWAYS] : [...ALWAYS, metricsRoute(measurements)];
}
