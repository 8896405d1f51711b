import { accessEndpoints } from './access.ts';
import { auditEndpoints } from './audit.ts';
import { browserEndpoints } from './browser.ts';
import { discoveryEndpoints } from './discovery.ts';
import type { Endpoint } from './endpoint.ts';
import { freezeEndpoints } from './freeze.ts';
import { layersEndpoints } from './layers.ts';
import { materializationEndpoints } from './materialization.ts';
import { operationsEndpoints } from './operations.ts';
import { purgeEndpoints } from './purge.ts';
import { scimEndpoints } from './scim.ts';
import { searchIndexEndpoints } from './search-index.ts';
import { usageEndpoints } from './usage.ts';
import { webhooksEndpoints } from './webhooks.ts';

/** Group of related routes, in the order of the reference. */
export interface EndpointGroup {
  name: string;
  summary: string;
  endpoints: readonly Endpoint[];
}

export const endpointGroups: readonly EndpointGroup[] = [
  {
    name: 'discovery',
    summary: 'Browse, search, and list artifacts and domains.',
    endpoints: discoveryEndpoints,
  },
  {
    name: 'materialization',
    summary: 'Load artifacts and their files.',
    endpoints: materializationEndpoints,
  },
  {
    name: 'usage',
    summary: 'Count loads and syncs, without identities.',
    endpoints: usageEndpoints,
  },
  {
    name: 'layers',
    summary: 'Register layers and run ingests.',
    endpoints: layersEndpoints,
  },
  {
    name: 'freeze',
    summary: 'Block ingests and layer changes for a time, and approve exceptions.',
    endpoints: freezeEndpoints,
  },
  {
    name: 'purge',
    summary: 'Delete published content.',
    endpoints: purgeEndpoints,
  },
  {
    name: 'access',
    summary: 'Manage roles, tenants, and quotas.',
    endpoints: accessEndpoints,
  },
  {
    name: 'audit',
    summary: 'Read the audit log and the reads of artifacts.',
    endpoints: auditEndpoints,
  },
  {
    name: 'webhooks',
    summary: 'Send events to receivers, and inspect and repeat deliveries.',
    endpoints: webhooksEndpoints,
  },
  {
    name: 'search index',
    summary: 'Rebuild the embeddings that semantic search uses.',
    endpoints: searchIndexEndpoints,
  },
  {
    name: 'browser',
    summary: 'Sign in and inspect the session.',
    endpoints: browserEndpoints,
  },
  {
    name: 'scim',
    summary:
      'Provision users and groups from a directory (SCIM 2.0); available if a token is configured.',
    endpoints: scimEndpoints,
  },
  {
    name: 'operations',
    summary: 'Events, health checks, and metrics.',
    endpoints: operationsEndpoints,
  },
];

export const endpoints: readonly Endpoint[] = endpointGroups.flatMap((group) => group.endpoints);
