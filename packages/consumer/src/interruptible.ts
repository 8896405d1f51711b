import { setImmediate } from 'node:timers/promises';

type Listener = () => void;

const listeners = new Map<NodeJS.Signals, Listener>();

/** Sets the listeners for signals. Without them, signals are handled only after the work has ended. */
export function setStopListeners(all: ReadonlyMap<NodeJS.Signals, Listener>): void {
  for (const [name, listener] of all) listeners.set(name, listener);
}

/**
 * Runs long synchronous work that writes nothing. A signal ends the process immediately, because a listener could run
 * only afterwards.
 */
export function interruptible<T>(run: () => T): T {
  const removed = [...listeners].filter(([name, listener]) =>
    process.listeners(name).includes(listener),
  );
  for (const [name, listener] of removed) process.off(name, listener);
  try {
    return run();
  } finally {
    for (const [name, listener] of removed) process.on(name, listener);
  }
}

/** Lets pending signals arrive. Throws if the run was aborted. */
export async function stopIfAborted(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}
