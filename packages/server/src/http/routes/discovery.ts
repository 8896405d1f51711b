import * as endpoints from '@catalog/contract/endpoints/discovery';
import { PAGE_DEFAULT } from '@catalog/contract/limits';
import { VERSION } from '@catalog/contract/version';
import { analyzeDomain } from '../../registry/discover/analyze-domain.ts';
import { listCatalog } from '../../registry/discover/list-catalog.ts';
import { listDependents } from '../../registry/discover/list-dependents.ts';
import { listRecent } from '../../registry/discover/list-recent.ts';
import { loadDomain } from '../../registry/discover/load-domain.ts';
import { previewScope } from '../../registry/discover/preview-scope.ts';
import { searchArtifacts } from '../../registry/discover/search-artifacts.ts';
import { searchDomains } from '../../registry/discover/search-domains.ts';
import { streamCatalog } from '../../registry/discover/stream-catalog.ts';
import { writeFeed } from '../../registry/discover/write-feed.ts';
import { announcementHeaders } from '../../registry/signing/published-keys.ts';
import { streamManifest } from '../../registry/sync/stream-manifest.ts';
import { splitList } from '@catalog/core/text/split-list';
import { matchesEtag } from '../matches-etag.ts';
import { defineRoute, json, type Call, type Route } from '../route.ts';

const loadDomainRoute = defineRoute(endpoints.loadDomain, async ({ registry, context, query }) =>
  json(await loadDomain(registry, context, query)),
);

const searchDomainsRoute = defineRoute(
  endpoints.searchDomains,
  async ({ registry, context, query }) => json(await searchDomains(registry, context, query)),
);

const searchArtifactsRoute = defineRoute(
  endpoints.searchArtifacts,
  async ({ registry, context, query }) =>
    json(
      await searchArtifacts(registry, context, {
        ...query,
        type: splitList(query.type),
        tags: splitList(query.tags),
        scope: splitList(query.scope),
        layer: splitList(query.layer),
      }),
    ),
);

const catalogRoute = defineRoute(endpoints.catalog, async (call) => {
  const { registry, context, query } = call;
  if (isPage(query)) {
    return json(await listCatalog(registry, context, { ...query, tags: splitList(query.tags) }));
  }
  const { etag, chunks } = await streamCatalog(registry, context, query.scope);
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' };
  if (matchesEtag(call.header('if-none-match'), etag)) {
    return { kind: 'empty', status: 304, headers };
  }
  return { kind: 'stream', status: 200, chunks: chunks(), media_type: 'application/json', headers };
});

type CatalogQuery = Call<typeof endpoints.catalog>['query'];

/** Returns true for a page. Without arguments or with only a scope, the whole list is streamed. */
function isPage({ limit, cursor, updated_since, ...query }: CatalogQuery): boolean {
  const { type, tags, layer, harness, deprecated } = query;
  return (
    limit !== undefined ||
    cursor !== undefined ||
    updated_since !== undefined ||
    deprecated ||
    type + tags + layer + harness !== ''
  );
}

const recentRoute = defineRoute(endpoints.recent, async ({ registry, context, query }) =>
  json(await listRecent(registry, context, { ...query, tags: splitList(query.tags) })),
);

const recentFeedRoute = defineRoute(endpoints.recentFeed, async ({ registry, context, query }) => {
  const page = { ...query, tags: splitList(query.tags), limit: PAGE_DEFAULT, cursor: '' };
  const { artifacts } = await listRecent(registry, context, page);
  const bytes = Buffer.from(writeFeed(registry.settings, artifacts));
  return { kind: 'bytes', status: 200, bytes, media_type: endpoints.recentFeed.media_type };
});

const syncManifestRoute = defineRoute(endpoints.syncManifestEndpoint, async (call) => {
  const manifest = await streamManifest(call.registry, call.context);
  const { etag } = manifest;
  const headers = {
    ETag: etag,
    'Cache-Control': 'private, no-cache',
    // Clients compare this version with their `min_server_version` (CFG-04).
    'X-Catalog-Server-Version': VERSION,
    ...(await announcementHeaders(call.registry)),
  };
  if (matchesEtag(call.header('if-none-match'), etag)) {
    return { kind: 'empty', status: 304, headers };
  }
  return {
    kind: 'stream',
    status: 200,
    chunks: manifest.chunks(),
    media_type: 'application/json',
    headers,
  };
});

const dependentsRoute = defineRoute(endpoints.dependents, async ({ registry, context, query }) =>
  json(await listDependents(registry, context, query)),
);

const analyzeDomainRoute = defineRoute(
  endpoints.analyzeDomain,
  async ({ registry, context, query }) => json(await analyzeDomain(registry, context, query.path)),
);

const previewScopeRoute = defineRoute(endpoints.previewScope, async ({ registry, context }) =>
  json(await previewScope(registry, context)),
);

export const discoveryRoutes: readonly Route[] = [
  loadDomainRoute,
  searchDomainsRoute,
  searchArtifactsRoute,
  catalogRoute,
  recentRoute,
  recentFeedRoute,
  syncManifestRoute,
  dependentsRoute,
  analyzeDomainRoute,
  previewScopeRoute,
];
