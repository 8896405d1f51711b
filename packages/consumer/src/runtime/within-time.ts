import { startIdleTimeout } from '@catalog/sdk/idle-timeout';
import { unreachable } from '@catalog/sdk/unreachable';

/**
 * Runs an operation with a timeout for registry, identity provider and keychain together. Afterwards, the registry
 * counts as unreachable. `extend` restarts the timeout.
 */
export async function withinTime<T>(
  registry: string,
  limit_ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal, extend: () => void) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const patience = startIdleTimeout(limit_ms, signal);
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
