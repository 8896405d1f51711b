import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';
import type { ResolvedArtifact } from './resolve-artifact.ts';

/** The encoded answer for one stored version. */
export interface ReadyBytes {
  content_hash: string;
  version: string;
  bytes: Uint8Array;
  /** It names no address: everything is in it. */
  is_whole: boolean;
  /** When the first address in it stops answering; undefined where none does. */
  expires_at: Date | undefined;
}

interface Shelf {
  /** What was put first comes first. */
  answers: Map<string, KeptAnswer>;
  size: number;
}

interface KeptAnswer {
  ready: ReadyBytes;
  /** In milliseconds; past it an address in the answer has lost too much of its life. */
  fresh_until: number;
}

/** Bytes of answers kept at once. */
const LARGEST_SHELF = 64 * 1024 * 1024;
/** One answer past this would push out too many others. */
const LARGEST_ANSWER = 1024 * 1024;
/** How much of an address's life may be over when it is handed out again. */
const SPENT_SHARE = 0.1;

const shelves = new WeakMap<Registry, Shelf>();

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
  const shelf = shelfOf(registry);
  // A layer registered anew may bring other bytes for a version that was purged.
  const key = `${tenant}/${layer.number}/${layer.created_at}/${id}@${version}`;
  const kept = shelf.answers.get(key);
  if (kept !== undefined) {
    if (kept.fresh_until === Infinity || kept.fresh_until > registry.now().getTime()) {
      return kept.ready;
    }
    drop(shelf, key, kept);
  }
  const ready = await encode();
  if (ready.bytes.length <= LARGEST_ANSWER) {
    put(shelf, key, { ready, fresh_until: freshUntil(registry, ready) });
  }
  return ready;
}

function freshUntil(registry: Registry, { expires_at }: ReadyBytes): number {
  if (expires_at === undefined) return Infinity;
  const now = registry.now().getTime();
  return now + (expires_at.getTime() - now) * SPENT_SHARE;
}

function shelfOf(registry: Registry): Shelf {
  let shelf = shelves.get(registry);
  if (shelf === undefined) {
    shelf = { answers: new Map(), size: 0 };
    shelves.set(registry, shelf);
  }
  return shelf;
}

/** Makes room by forgetting what was put first. */
function put(shelf: Shelf, key: string, answer: KeptAnswer): void {
  if (shelf.answers.has(key)) return; // several asked for it at once
  shelf.answers.set(key, answer);
  shelf.size += answer.ready.bytes.length;
  for (const [oldest, kept] of shelf.answers) {
    if (shelf.size <= LARGEST_SHELF) return;
    drop(shelf, oldest, kept);
  }
}

function drop(shelf: Shelf, key: string, { ready }: KeptAnswer): void {
  if (shelf.answers.delete(key)) shelf.size -= ready.bytes.length;
}
