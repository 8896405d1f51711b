import { setImmediate } from 'node:timers/promises';

type Listener = () => void;

const listeners = new Map<NodeJS.Signals, Listener>();

/** Names the listeners that `interruptible` removes. Without a call, signals wait for its end. */
export function setStopListeners(all: ReadonlyMap<NodeJS.Signals, Listener>): void {
  for (const [name, listener] of all) listeners.set(name, listener);
}

/**
 * Runs long synchronous work that writes nothing. A signal ends the process at once meanwhile: a listener
 * runs only after the work.
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

/** Lets a signal arrive, which long synchronous work keeps waiting, and stops the run if one did. */
export async function stopIfAborted(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}
