import { syncManifestEndpoint as endpoint } from '@catalog/contract/endpoints/discovery';
import { VERSION } from '@catalog/contract/version';
import { streamManifest } from '../../registry/sync/stream-manifest.ts';
import { matchesEtag } from '../matches-etag.ts';
import { defineRoute } from '../route.ts';

export const syncManifestRoute = defineRoute(endpoint, async (call) => {
  const manifest = await streamManifest(call.registry, call.context);
  const { etag } = manifest;
  const headers = {
    ETag: etag,
    'Cache-Control': 'private, no-cache',
    // What `min_server_version` of a consumer is held against (CFG-04).
    'X-Catalog-Server-Version': VERSION,
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
