import { AsyncLocalStorage } from 'node:async_hooks';

/** The doors a test can use from outside; a row that speaks of one counts only through it. */
export type Door = 'packed-program' | 'http';

const doors = new AsyncLocalStorage<Set<Door>>();

/**
 * Says that the running test used a door. Called by what opens it (the packed program, the HTTP
 * client), never by a test itself, so that a claim cannot be made without the act. Storage follows
 * the asynchronous context: tests that run side by side do not lend each other their doors.
 */
export function wentThrough(door: Door): void {
  doors.getStore()?.add(door);
}

/** Runs `body` and returns the doors it used, also when it fails. */
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
