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
    name: 'access',
    summary: 'Roles, tenants, and how much each may use.',
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
    summary: 'What searches by meaning stand on.',
    endpoints: [searchIndex.reembed, searchIndex.getReembed],
  },
  {
    name: 'browser',
    summary: 'Signing in, and who one is.',
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
      'Users and groups that a directory pushes (SCIM 2.0); served where a token is configured.',
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
