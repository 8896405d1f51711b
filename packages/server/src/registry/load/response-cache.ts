import type { Tenant } from '@catalog/core/ports/tenant';
import { activeKeys, type KeySet } from '@catalog/core/signing/key-set';
import {
  CACHE_LIMITS,
  type CachedResponse,
  type ResponseCache,
  type EncodedResponse,
} from '../caches.ts';
import type { Registry } from '../registry.ts';
import { getAnnouncedKeys } from '../signing/published-keys.ts';
import type { ResolvedArtifact } from './resolve-artifact.ts';

/** Maximum size of a cached response; a larger one would evict too many others. */
const MAX_RESPONSE_BYTES = 1024 * 1024;
/** Factor for the size of a response with its compressed copies. */
const COPIES = 3;
const OVERHEAD_BYTES = 500;
/** Fraction of the lifetime of a URL after which its response is not reused. */
const MAX_ELAPSED_FRACTION = 0.1;

/** Caches a response. Versions never change, so a response is valid until its URLs are too old. */
export async function cacheResponse(
  registry: Registry,
  tenant: Tenant,
  { layer, id, version }: ResolvedArtifact,
  encode: () => Promise<EncodedResponse>,
): Promise<EncodedResponse> {
  const cache = registry.caches.answers;
  const keys = registry.signer && (await getAnnouncedKeys(registry));
  // A layer that was purged and registered again can have other content in the same version.
  const key = `${tenant}/${layer.number}/${layer.created_at}/${id}@${version}/${keys?.version ?? ''}`;
  const kept = cache.answers.get(key);
  if (kept !== undefined) {
    if (kept.fresh_until === Infinity || kept.fresh_until > registry.now().getTime()) {
      return kept.ready;
    }
    drop(cache, key, kept);
  }
  const encoded = await encode();
  if (encoded.bytes.length > MAX_RESPONSE_BYTES) return encoded;
  // Another process may sign the version any time, or sign it again after a key was revoked.
  if (registry.signer !== undefined && !isSignedByActive(encoded, keys)) return encoded;
  // A small buffer is a part of a larger one, which would stay in memory.
  const ready = { ...encoded, bytes: new Uint8Array(encoded.bytes) };
  put(cache, key, { ready, fresh_until: freshUntil(registry, ready) });
  return ready;
}

function isSignedByActive({ signed_by }: EncodedResponse, keys: KeySet | undefined): boolean {
  return signed_by !== undefined && (keys === undefined || activeKeys(keys).has(signed_by));
}

function freshUntil(registry: Registry, { expires_at }: EncodedResponse): number {
  if (expires_at === undefined) return Infinity;
  const now = registry.now().getTime();
  return now + (expires_at.getTime() - now) * MAX_ELAPSED_FRACTION;
}

function put(cache: ResponseCache, key: string, answer: CachedResponse): void {
  if (cache.answers.has(key)) return;
  cache.answers.set(key, answer);
  cache.size += sizeOf(answer.ready);
  for (const [oldest, kept] of cache.answers) {
    if (cache.size <= CACHE_LIMITS.answer_bytes) return;
    drop(cache, oldest, kept);
  }
}

function drop(cache: ResponseCache, key: string, { ready }: CachedResponse): void {
  if (cache.answers.delete(key)) cache.size -= sizeOf(ready);
}

function sizeOf({ bytes }: EncodedResponse): number {
  return OVERHEAD_BYTES + COPIES * bytes.length;
}
