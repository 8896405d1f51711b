import * as discovery from './discovery.ts';
import type { Endpoint } from './endpoint.ts';
import * as layers from './layers.ts';
import * as materialization from './materialization.ts';
import * as operations from './operations.ts';

/** Routes that belong together. */
export interface EndpointGroup {
  name: string;
  summary: string;
  endpoints: readonly Endpoint[];
}

export const endpointGroups: readonly EndpointGroup[] = [
  {
    name: 'discovery',
    summary: 'What there is: domains, search, lists.',
    endpoints: [
      discovery.loadDomain,
      discovery.searchDomains,
      discovery.searchArtifacts,
      discovery.catalog,
      discovery.syncManifestEndpoint,
      discovery.dependents,
      discovery.analyzeDomain,
      discovery.previewScope,
    ],
  },
  {
    name: 'materialization',
    summary: 'The artifacts themselves.',
    endpoints: [
      materialization.loadArtifact,
      materialization.batchLoad,
      materialization.listVersions,
      materialization.getObject,
    ],
  },
  {
    name: 'layers',
    summary: 'Where artifacts come from, and their ingests.',
    endpoints: [
      layers.registerLayer,
      layers.listLayers,
      layers.updateLayer,
      layers.unregisterLayer,
      layers.restoreLayer,
      layers.reorderLayers,
      layers.reingestLayer,
      layers.listIngests,
      layers.getIngest,
      layers.ingestWebhook,
    ],
  },
  {
    name: 'operations',
    summary: 'Events, health, measurements.',
    endpoints: [
      operations.events,
      operations.healthz,
      operations.readyz,
      operations.metrics,
      operations.openApi,
    ],
  },
];

/** Every route of the registry. */
export const endpoints: readonly Endpoint[] = endpointGroups.flatMap((group) => group.endpoints);
