import type { Embedder } from '@catalog/core/ports/embedder';

/** Queries whose vectors are kept: a few megabytes. */
const MOST_QUERIES = 1000;

/**
 * Keeps the vectors of the last queries: who asks the same again, or while it is being asked, costs no
 * request. Failures are not kept.
 */
export function cacheQueries(embedder: Embedder, most = MOST_QUERIES): Embedder {
  /** Least recently asked first. */
  const queries = new Map<string, Promise<Float32Array[]>>();

  function ask(query: string): Promise<Float32Array[]> {
    const known = queries.get(query);
    queries.delete(query);
    // Not for one caller alone: that one may go away while others wait. It ends by its time.
    const asked = known ?? embedder.embed([query], 'query', new AbortController().signal);
    queries.set(query, asked);
    const [oldest] = queries.size > most ? queries.keys() : [];
    if (oldest !== undefined) queries.delete(oldest);
    if (known === undefined) asked.catch(() => forget(query, asked));
    return asked;
  }

  function forget(query: string, asked: Promise<Float32Array[]>): void {
    if (queries.get(query) === asked) queries.delete(query);
  }

  return {
    ...embedder,
    async embed(texts, side, signal) {
      const [query] = texts;
      if (side !== 'query' || query === undefined || texts.length > 1) {
        return embedder.embed(texts, side, signal);
      }
      signal.throwIfAborted();
      return until(ask(query), signal);
    },
  };
}

/** The result, unless there is a reason to stop before it is there. */
async function until<Result>(result: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const listener = (): void => stop();
  signal.addEventListener('abort', listener, { once: true });
  try {
    await Promise.race([result, stopped]);
    signal.throwIfAborted();
    return await result;
  } finally {
    signal.removeEventListener('abort', listener);
  }
}
