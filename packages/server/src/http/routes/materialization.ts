import * as endpoints from '@catalog/contract/endpoints/materialization';
import { batchLoad } from '../../registry/load/batch-load.ts';
import { loadLineage } from '../../registry/load/load-lineage.ts';
import { listVersions } from '../../registry/load/list-versions.ts';
import { loadArtifact, type LoadedArtifact } from '../../registry/load/load-artifact.ts';
import { loadMarkdown } from '../../registry/load/load-markdown.ts';
import { openObject, type VisibleObject } from '../../registry/load/open-object.ts';
import { findSignatures, listKeySets } from '../../registry/signing/find-signatures.ts';
import { announcementHeaders } from '../../registry/signing/published-keys.ts';
import { matchesEtag } from '../matches-etag.ts';
import { defineRoute, json, type Route } from '../route.ts';

const REVALIDATE = 'private, no-cache';
/** For responses with expiring URLs: a cache that revalidates them would return expired ones. */
const NO_STORE = 'private, no-store';
/** For immutable content that every caller may read (SPEC-55). */
const IMMUTABLE = 'public, max-age=31536000, immutable';

const loadArtifactRoute = defineRoute(endpoints.loadArtifact, async (call) => {
  const { registry, context, query, method } = call;
  const loaded = await loadArtifact(registry, context, query);
  const etag = `"${loaded.content_hash}"`;
  const headers = {
    ETag: etag,
    'Cache-Control': cacheControl(loaded, registry.settings.public_mode),
    'X-Catalog-Content-Hash': loaded.content_hash,
    'X-Catalog-Version': loaded.version,
    ...(await announcementHeaders(registry)),
  };
  if (matchesEtag(call.header('if-none-match'), etag)) {
    return { kind: 'empty', status: 304, headers };
  }
  if (method === 'HEAD') return { kind: 'empty', status: 200, headers };
  return { kind: 'bytes', status: 200, bytes: loaded.bytes, headers };
});

function cacheControl(
  { immutable, expires }: Pick<LoadedArtifact, 'immutable' | 'expires'>,
  public_mode: boolean,
): string {
  if (expires) return NO_STORE;
  return public_mode && immutable ? IMMUTABLE : REVALIDATE;
}

const artifactMarkdownRoute = defineRoute(endpoints.artifactMarkdown, async (call) => {
  const { registry, context, query, method } = call;
  const { text, content_hash, version, immutable } = await loadMarkdown(registry, context, query);
  const etag = `"${content_hash}"`;
  const headers = {
    ETag: etag,
    'Cache-Control': cacheControl({ immutable, expires: false }, registry.settings.public_mode),
    'X-Catalog-Content-Hash': content_hash,
    'X-Catalog-Version': version,
  };
  if (matchesEtag(call.header('if-none-match'), etag)) {
    return { kind: 'empty', status: 304, headers };
  }
  if (method === 'HEAD') return { kind: 'empty', status: 200, headers };
  const media_type = `${endpoints.artifactMarkdown.media_type}; charset=utf-8`;
  return { kind: 'bytes', status: 200, bytes: Buffer.from(text), media_type, headers };
});

const batchLoadRoute = defineRoute(endpoints.batchLoad, async ({ registry, context, body }) =>
  json(await batchLoad(registry, context, body), 200, await announcementHeaders(registry)),
);

const signaturesRoute = defineRoute(endpoints.getSignatures, async (call) => {
  const { registry, context, body } = call;
  const { etag, response } = await findSignatures(registry, context, body.content_hashes);
  const headers = { ETag: etag, ...(await announcementHeaders(registry)) };
  if (matchesEtag(call.header('if-none-match'), etag)) {
    return { kind: 'empty', status: 304, headers };
  }
  return json(response, 200, headers);
});

const signingKeysRoute = defineRoute(endpoints.signingKeys, async ({ registry }) =>
  json(await listKeySets(registry)),
);

const listVersionsRoute = defineRoute(
  endpoints.listVersions,
  async ({ registry, context, query }) => json(await listVersions(registry, context, query.id)),
);

const artifactLineageRoute = defineRoute(
  endpoints.artifactLineage,
  async ({ registry, context, query }) => json(await loadLineage(registry, context, query)),
);

const objectsRoute = defineRoute(
  endpoints.getObject,
  async ({ registry, context, params, method }) => {
    const object = await openObject(registry, context, params.key);
    if (method === 'HEAD') {
      return { kind: 'empty', status: 200, headers: headersOf(object, await object.size()) };
    }
    const { size, stream } = await object.open();
    const media_type = 'application/octet-stream';
    return {
      kind: 'stream',
      status: 200,
      chunks: stream,
      media_type,
      headers: headersOf(object, size),
    };
  },
);

function headersOf({ content_hash }: VisibleObject, size: number): Record<string, string> {
  return {
    'Content-Length': String(size),
    'X-Catalog-Content-Hash': content_hash,
    // A shared cache would skip the access check.
    'Cache-Control': 'private, no-cache',
  };
}

export const materializationRoutes: readonly Route[] = [
  loadArtifactRoute,
  artifactMarkdownRoute,
  batchLoadRoute,
  listVersionsRoute,
  artifactLineageRoute,
  objectsRoute,
  signaturesRoute,
  signingKeysRoute,
];
