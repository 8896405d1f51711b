import { loadArtifact as endpoint } from '@catalog/contract/endpoints/materialization';
import { loadArtifact, type LoadedArtifact } from '../../registry/load/load-artifact.ts';
import { matchesEtag } from '../matches-etag.ts';
import { defineRoute } from '../route.ts';

const MOVING = 'private, no-cache';
/** A cache that asks whether the artifact changed would be told no, and hand out addresses that are over. */
const NOT_KEPT = 'private, no-store';
/** Only what never changes, and only where everybody may read it (decision 55). */
const FOR_EVER = 'public, max-age=31536000, immutable';

export const loadArtifactRoute = defineRoute(endpoint, async (call) => {
  const { registry, context, query, method } = call;
  const loaded = await loadArtifact(registry, context, query);
  const etag = `"${loaded.content_hash}"`;
  const headers = {
    ETag: etag,
    'Cache-Control': cacheControl(loaded, registry.settings.public_mode),
    'X-Catalog-Content-Hash': loaded.content_hash,
    'X-Catalog-Version': loaded.version,
  };
  if (matchesEtag(call.header('if-none-match'), etag)) {
    return { kind: 'empty', status: 304, headers };
  }
  if (method === 'HEAD') return { kind: 'empty', status: 200, headers };
  return { kind: 'bytes', status: 200, bytes: loaded.bytes, headers };
});

function cacheControl({ immutable, expires }: LoadedArtifact, public_mode: boolean): string {
  if (expires) return NOT_KEPT;
  return public_mode && immutable ? FOR_EVER : MOVING;
}
