import type { Embedder } from '@catalog/core/ports/embedder';
import { TEXT_VERSION } from '@catalog/core/search/embedded-text';
import type { Registry } from '../registry/registry.ts';
import { adoptModel } from '../registry/search/adopt-model.ts';
import { isReady, listModels } from '../registry/search/choose-embedder.ts';
import { embedAllWaiting } from '../registry/search/embed-all-waiting.ts';
import { settleModel } from '../registry/search/settle-model.ts';

export interface EmbedLog {
  embedded(model: string, outcome: { claimed: number; failed: number }): void;
  failed(cause: unknown): void;
}

export interface EmbedWorker {
  close(): Promise<void>;
}

/** Interval of polls for failed texts; new texts wake the worker. */
const POLL_MS = 1000;
/** Interval at which a process records that it still uses its model. */
const MODEL_IN_USE_INTERVAL_MS = 3_600_000;

export function startEmbedWorker(registry: Registry, log: EmbedLog): EmbedWorker {
  const closing = new AbortController();
  let underway: Promise<void> | undefined;
  let isWakePending = false;
  let wanted_at = -Infinity;
  const paused = new Map<string, number>();

  function wake(): void {
    isWakePending = true;
    if (closing.signal.aborted) return;
    underway ??= work().finally(() => {
      underway = undefined;
      if (isWakePending && !closing.signal.aborted) wake();
    });
  }

  async function work(): Promise<void> {
    isWakePending = false;
    // In read-only mode, no texts are claimed. The end of read-only mode wakes the worker.
    if (registry.store.availability().mode !== 'ready') return;
    try {
      await reportModelInUse();
      for (const { name } of await listModels(registry)) {
        const embedder = embedderOf(registry, name);
        const isPaused = (paused.get(name) ?? 0) > registry.now().getTime();
        if (embedder !== undefined && !isPaused) await drain(embedder);
      }
    } catch (cause) {
      const isKnown = closing.signal.aborted || registry.store.availability().mode !== 'ready';
      if (!isKnown) log.failed(cause);
    }
  }

  async function reportModelInUse(): Promise<void> {
    const now = registry.now().getTime();
    if (now - wanted_at < MODEL_IN_USE_INTERVAL_MS) return;
    await adoptModel(registry);
    wanted_at = now;
  }

  async function drain(embedder: Embedder): Promise<void> {
    const { name } = embedder.model;
    const { made, pause_ms } = await embedAllWaiting(
      registry,
      embedder,
      (some) => log.embedded(name, some),
      closing.signal,
    );
    if (pause_ms > 0) {
      paused.set(name, registry.now().getTime() + pause_ms);
      return;
    }
    if (made > 0 || !(await isReady(registry, embedder))) await settleModel(registry, embedder);
  }

  const stopListening = registry.store.onCommit(wake);
  const poll = setInterval(wake, POLL_MS).unref();
  wake();
  return {
    close: async () => {
      closing.abort();
      stopListening();
      clearInterval(poll);
      await underway;
    },
  };
}

/** The name of an external engine follows this suffix. */
const OF_THIS_TEXT = new RegExp(`/t${TEXT_VERSION}(?:#|$)`);

/**
 * Returns the embedder of a model. Undefined for another text version, whose vectors belong to processes of another
 * release.
 */
function embedderOf(registry: Registry, model: string): Embedder | undefined {
  const { embedder, openEmbedder } = registry.search;
  if (embedder === undefined || embedder.model.name === model) return embedder;
  return OF_THIS_TEXT.test(model) ? openEmbedder(model) : undefined;
}
