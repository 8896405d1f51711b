import type { Embedder } from '@catalog/core/ports/embedder';

/** A few megabytes. */
const MOST_QUERIES = 1000;

/** Shares one request among repeated and concurrent identical queries. Does not cache failures. */
export function cacheQueries(embedder: Embedder, most = MOST_QUERIES): Embedder {
  /** In order of last use, oldest first. */
  const queries = new Map<string, Promise<Float32Array[]>>();

  function ask(query: string): Promise<Float32Array[]> {
    const known = queries.get(query);
    queries.delete(query);
    // Uses its own signal because other callers may wait for the same request; the timeout still
    // applies.
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
