import type { Tenant } from '@catalog/core/ports/tenant';
import { MOST_KEPT, type KeptAnswer, type KeptAnswers, type ReadyBytes } from '../caches.ts';
import type { Registry } from '../registry.ts';
import type { ResolvedArtifact } from './resolve-artifact.ts';

/** One answer past this would push out too many others. */
const LARGEST_ANSWER = 1024 * 1024;
/** The answer, and a copy in each content coding: none is larger than the answer. */
const COPIES = 3;
/** Memory of an entry in addition to its bytes. */
const OVERHEAD_BYTES = 500;
/** How much of an address's life may be over when it is handed out again. */
const SPENT_SHARE = 0.1;

/**
 * The encoded answer for a version: kept from an earlier load, or made now. Versions never change, so
 * that an answer holds as long as there is room for it, and as long as the addresses in it are young.
 */
export async function keepReady(
  registry: Registry,
  tenant: Tenant,
  { layer, id, version }: ResolvedArtifact,
  encode: () => Promise<ReadyBytes>,
): Promise<ReadyBytes> {
  const shelf = registry.caches.answers;
  // A layer registered anew may bring other bytes for a version that was purged.
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
  // A small buffer is part of a larger one, which a slice would keep in memory.
  const ready = { ...encoded, bytes: new Uint8Array(encoded.bytes) };
  put(shelf, key, { ready, fresh_until: freshUntil(registry, ready) });
  return ready;
}

function freshUntil(registry: Registry, { expires_at }: ReadyBytes): number {
  if (expires_at === undefined) return Infinity;
  const now = registry.now().getTime();
  return now + (expires_at.getTime() - now) * SPENT_SHARE;
}

/** Makes room by forgetting what was put first. */
function put(shelf: KeptAnswers, key: string, answer: KeptAnswer): void {
  if (shelf.answers.has(key)) return; // several asked for it at once
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
