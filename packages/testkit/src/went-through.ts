import { AsyncLocalStorage } from 'node:async_hooks';

/** Entry points of the product. A requirement about one counts as covered only if the test uses it. */
export type Door = 'packed-program' | 'http';

const doors = new AsyncLocalStorage<Set<Door>>();

/**
 * Records the use of an entry point. Its own code calls this, not a test, so that a claim of coverage
 * requires its use. Storage follows the asynchronous context, so concurrent tests stay separate.
 */
export function wentThrough(door: Door): void {
  doors.getStore()?.add(door);
}

/** Runs `body` and returns the entry points it used, even if it fails. */
export async function watchDoors(
  body: () => unknown,
  report: (used: readonly Door[]) => void,
): Promise<void> {
  const used = new Set<Door>();
  try {
    await doors.run(used, async () => body());
  } finally {
    report([...used]);
  }
}
