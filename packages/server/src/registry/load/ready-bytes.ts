import type { Tenant } from '@catalog/core/ports/tenant';
import { MOST_KEPT, type KeptAnswer, type KeptAnswers, type ReadyBytes } from '../caches.ts';
import type { Registry } from '../registry.ts';
import type { ResolvedArtifact } from './resolve-artifact.ts';

/** A larger response would evict too many others. */
const LARGEST_ANSWER = 1024 * 1024;
/** Each response counts with a compressed copy in each coding, none of which is larger. */
const COPIES = 3;
const OVERHEAD_BYTES = 500;
/** Maximum elapsed fraction of a URL's lifetime in a reused response. */
const SPENT_SHARE = 0.1;

/** Versions never change, so a response stays cached until it is evicted or its URLs are too old. */
export async function keepReady(
  registry: Registry,
  tenant: Tenant,
  { layer, id, version }: ResolvedArtifact,
  encode: () => Promise<ReadyBytes>,
): Promise<ReadyBytes> {
  const shelf = registry.caches.answers;
  // A layer that was purged and registered again can have other bytes under the same version.
  const key = `${tenant}/${layer.number}/${layer.created_at}/${id}@${version}`;
  const kept = shelf.answers.get(key);
  if (kept !== undefined) {
    if (kept.fresh_until === Infinity || kept.fresh_until > registry.now().getTime()) {
      return kept.ready;
    }
    drop(shelf, key, kept);
  }
  const encoded = await encode();
  if (encoded.bytes.length > LARGEST_ANSWER) return encoded;
  // A small buffer is part of a larger one, which a slice would retain.
  const ready = { ...encoded, bytes: new Uint8Array(encoded.bytes) };
  put(shelf, key, { ready, fresh_until: freshUntil(registry, ready) });
  return ready;
}

function freshUntil(registry: Registry, { expires_at }: ReadyBytes): number {
  if (expires_at === undefined) return Infinity;
  const now = registry.now().getTime();
  return now + (expires_at.getTime() - now) * SPENT_SHARE;
}

function put(shelf: KeptAnswers, key: string, answer: KeptAnswer): void {
  if (shelf.answers.has(key)) return;
  shelf.answers.set(key, answer);
  shelf.size += sizeOf(answer.ready);
  for (const [oldest, kept] of shelf.answers) {
    if (shelf.size <= MOST_KEPT.answer_bytes) return;
    drop(shelf, oldest, kept);
  }
}

function drop(shelf: KeptAnswers, key: string, { ready }: KeptAnswer): void {
  if (shelf.answers.delete(key)) shelf.size -= sizeOf(ready);
}

function sizeOf({ bytes }: ReadyBytes): number {
  return OVERHEAD_BYTES + COPIES * bytes.length;
}
