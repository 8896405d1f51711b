import { AsyncLocalStorage } from 'node:async_hooks';

/** Way in which a test uses the product. A requirement about one counts as covered only if the test uses it. */
export type EntryPoint = 'packed-program' | 'http';

const entry_points = new AsyncLocalStorage<Set<EntryPoint>>();

/**
 * Records that an entry point was used. Its own code calls this, so that tests cannot claim it. The record follows the
 * asynchronous context, so concurrent tests stay separate.
 */
export function recordEntryPoint(entry_point: EntryPoint): void {
  entry_points.getStore()?.add(entry_point);
}

/** Runs `body` and returns the entry points that it used, even if it fails. */
export async function trackEntryPoints(
  body: () => unknown,
  report: (used: readonly EntryPoint[]) => void,
): Promise<void> {
  const used = new Set<EntryPoint>();
  try {
    await entry_points.run(used, async () => body());
  } finally {
    report([...used]);
  }
}
