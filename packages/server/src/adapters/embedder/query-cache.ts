import type { Embedder } from '@catalog/core/ports/embedder';

/** Maximum number of cached query vectors, which use a few megabytes. */
const MAX_QUERIES = 1000;

/** Caches query vectors and shares one request between concurrent identical queries. Failures are not cached. */
export function cacheQueries(embedder: Embedder, maxQueries = MAX_QUERIES): Embedder {
  /** Cached queries, least recently used first. */
  const queries = new Map<string, Promise<Float32Array[]>>();

  function embedOnce(query: string): Promise<Float32Array[]> {
    const known = queries.get(query);
    queries.delete(query);
    // This request ignores the caller's signal, because other callers may wait for the same result. The timeout still
    // applies.
    const pending = known ?? embedder.embed([query], 'query', new AbortController().signal);
    queries.set(query, pending);
    const [oldest] = queries.size > maxQueries ? queries.keys() : [];
    if (oldest !== undefined) queries.delete(oldest);
    if (known === undefined) pending.catch(() => forget(query, pending));
    return pending;
  }

  function forget(query: string, pending: Promise<Float32Array[]>): void {
    if (queries.get(query) === pending) queries.delete(query);
  }

  return {
    ...embedder,
    async embed(texts, side, signal) {
      const [query] = texts;
      if (side !== 'query' || query === undefined || texts.length > 1) {
        return embedder.embed(texts, side, signal);
      }
      signal.throwIfAborted();
      return until(embedOnce(query), signal);
    },
  };
}

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
