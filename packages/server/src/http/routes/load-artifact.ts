import { loadArtifact as endpoint } from '@catalog/contract/endpoints/materialization';
import { loadArtifact } from '../../registry/load/load-artifact.ts';
import { matchesEtag } from '../matches-etag.ts';
import { defineRoute } from '../route.ts';

const MOVING = 'private, no-cache';
/** Only what never changes, and only where everybody may read it (decision 55). */
const FOR_EVER = 'public, max-age=31536000, immutable';

export const loadArtifactRoute = defineRoute(endpoint, async (call) => {
  const { registry, context, query, method } = call;
  const loaded = await loadArtifact(registry, context, query);
  const etag = `"${loaded.content_hash}"`;
  const headers = {
    ETag: etag,
    'Cache-Control': registry.settings.public_mode && loaded.immutable ? FOR_EVER : MOVING,
    'X-Catalog-Content-Hash': loaded.content_hash,
    'X-Catalog-Version': loaded.version,
  };
  if (matchesEtag(call.header('if-none-match'), etag)) {
    return { kind: 'empty', status: 304, headers };
  }
  if (method === 'HEAD') return { kind: 'empty', status: 200, headers };
  return { kind: 'bytes', status: 200, bytes: loaded.bytes, headers };
});
