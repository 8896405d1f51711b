import { AsyncLocalStorage } from 'node:async_hooks';

/** Entry points of the product. A requirement about one counts as covered only if the test uses it. */
export type EntryPoint = 'packed-program' | 'http';

const entry_points = new AsyncLocalStorage<Set<EntryPoint>>();

/**
 * Records the use of an entry point. Its own code calls this, not a test, so that a claim of coverage
 * requires its use. Storage follows the asynchronous context, so concurrent tests stay separate.
 */
export function recordEntryPoint(entry_point: EntryPoint): void {
  entry_points.getStore()?.add(entry_point);
}

/** Runs `body` and returns the entry points it used, even if it fails. */
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
