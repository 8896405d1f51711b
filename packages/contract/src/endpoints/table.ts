import * as access from './access.ts';
import * as browser from './browser.ts';
import * as discovery from './discovery.ts';
import type { Endpoint } from './endpoint.ts';
import * as layers from './layers.ts';
import * as materialization from './materialization.ts';
import * as operations from './operations.ts';
import * as scim from './scim.ts';
import * as searchIndex from './search-index.ts';

/** Routes that belong together. */
export interface EndpointGroup {
  name: string;
  summary: string;
  endpoints: readonly Endpoint[];
}

export const endpointGroups: readonly EndpointGroup[] = [
  {
    name: 'discovery',
    summary: 'Browse, search, and list artifacts and domains.',
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
    summary: 'Load artifacts and their files.',
    endpoints: [
      materialization.loadArtifact,
      materialization.batchLoad,
      materialization.listVersions,
      materialization.getObject,
    ],
  },
  {
    name: 'layers',
    summary: 'Register layers and run ingests.',
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
    name: 'access',
    summary: 'Manage roles, tenants, and quotas.',
    endpoints: [
      access.grantAdmin,
      access.revokeAdmin,
      access.listAdmins,
      access.showEffective,
      access.getQuota,
      access.listTenants,
      access.createTenant,
      access.updateTenant,
      access.deactivateTenant,
    ],
  },
  {
    name: 'search index',
    summary: 'Rebuild the embeddings that semantic search uses.',
    endpoints: [searchIndex.reembed, searchIndex.getReembed],
  },
  {
    name: 'browser',
    summary: 'Sign in and inspect the session.',
    endpoints: [
      browser.signIn,
      browser.signInCallback,
      browser.signOut,
      browser.session,
      browser.webUi,
      browser.webUiAsset,
      browser.webUiRoot,
      browser.resourceMetadata,
    ],
  },
  {
    name: 'scim',
    summary:
      'Provision users and groups from a directory (SCIM 2.0); available if a token is configured.',
    endpoints: [
      scim.scimProvider,
      scim.scimSchemas,
      scim.scimSchema,
      scim.scimResourceTypes,
      scim.scimResourceType,
      scim.searchScim,
      scim.listScimUsers,
      scim.createScimUser,
      scim.searchScimUsers,
      scim.getScimUser,
      scim.replaceScimUser,
      scim.patchScimUser,
      scim.deleteScimUser,
      scim.listScimGroups,
      scim.createScimGroup,
      scim.searchScimGroups,
      scim.getScimGroup,
      scim.replaceScimGroup,
      scim.patchScimGroup,
      scim.deleteScimGroup,
    ],
  },
  {
    name: 'operations',
    summary: 'Events, health checks, and metrics.',
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
