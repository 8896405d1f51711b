import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';
import type { ResolvedArtifact } from './resolve-artifact.ts';

/** The encoded answer for one stored version. */
export interface ReadyBytes {
  content_hash: string;
  version: string;
  bytes: Uint8Array;
  /** No address in it expires, so that it can be kept. */
  lasts: boolean;
}

interface Shelf {
  /** Least recently used first. */
  answers: Map<string, ReadyBytes>;
  size: number;
}

/** Bytes of answers kept at once. */
const LARGEST_SHELF = 64 * 1024 * 1024;
/** One answer past this would push out too many others. */
const LARGEST_ANSWER = 1024 * 1024;

const shelves = new WeakMap<Registry, Shelf>();

/**
 * The encoded answer for a version: kept from an earlier load, or made now. Versions never change, so
 * that an answer holds as long as there is room for it.
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
  if (kept !== undefined) return kept;
  const answer = await encode();
  if (answer.lasts && answer.bytes.length <= LARGEST_ANSWER) put(shelf, key, answer);
  return answer;
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
function put(shelf: Shelf, key: string, answer: ReadyBytes): void {
  if (shelf.answers.has(key)) return; // several asked for it at once
  shelf.answers.set(key, answer);
  shelf.size += answer.bytes.length;
  for (const [oldest, { bytes }] of shelf.answers) {
    if (shelf.size <= LARGEST_SHELF) return;
    shelf.answers.delete(oldest);
    shelf.size -= bytes.length;
  }
}
