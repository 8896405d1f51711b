import { startPatience } from '@catalog/sdk/patience';
import { unreachable } from '@catalog/sdk/unreachable';

/**
 * Does something with a registry that has to come to an end in time, whatever it waits for: the
 * registry, the identity provider, a keychain. After that the registry counts as unreachable.
 * `extend` starts the time anew when something came.
 */
export async function withinTime<T>(
  registry: string,
  limit_ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal, extend: () => void) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const patience = startPatience(limit_ms, signal);
  try {
    return await Promise.race([
      work(patience.signal, () => patience.extend()),
      rejectWhenAborted(patience.signal),
    ]);
  } catch (error) {
    signal?.throwIfAborted();
    if (patience.signal.aborted) throw unreachable(registry, patience.signal.reason);
    throw error;
  } finally {
    patience.end();
  }
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('it timed out')), { once: true });
  });
}
