import type { Embedder } from '@catalog/core/ports/embedder';
import type { Registry } from '../registry.ts';
import { embedWaiting, type EmbeddedSome } from './embed-waiting.ts';

export interface EmbeddedAll {
  made: number;
  pause_ms: number;
}

export async function embedAllWaiting(
  registry: Registry,
  embedder: Embedder,
  onSome: (some: EmbeddedSome) => void,
  signal: AbortSignal,
): Promise<EmbeddedAll> {
  const all: EmbeddedAll = { made: 0, pause_ms: 0 };
  let isOver = false;

  async function embedSome(): Promise<EmbeddedSome> {
    const some = await embedWaiting(registry, embedder, signal);
    all.pause_ms = Math.max(all.pause_ms, some.pause_ms);
    if (some.claimed === 0 || some.pause_ms > 0) isOver = true;
    else onSome(some);
    all.made += some.claimed - some.failed;
    signal.throwIfAborted();
    return some;
  }

  /** After a failure, running claims are finished and no new ones start. */
  async function embedMore(): Promise<void> {
    try {
      while (!isOver) await embedSome();
    } finally {
      isOver = true;
    }
  }

  const { full } = await embedSome();
  const parallel = full ? registry.store.embeddings.parallel : 1;
  const ended = await Promise.allSettled(Array.from({ length: parallel }, embedMore));
  for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason;
  return all;
}
