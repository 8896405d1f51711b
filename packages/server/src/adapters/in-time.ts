import { setTimeout as delay } from 'node:timers/promises';

/** Rejects if work exceeds the time limit. The work itself is not canceled. */
export async function inTime<Result>(work: Promise<Result>, limit_ms: number): Promise<Result> {
  const ended = new AbortController();
  const late = delay(limit_ms, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`timed out after ${limit_ms} ms`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    ended.abort();
    late.catch(() => undefined);
  }
}
