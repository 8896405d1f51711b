import { setImmediate } from 'node:timers/promises';

type Listener = () => void;

const listeners = new Map<NodeJS.Signals, Listener>();

/** Registers the listeners. Until then, signals are handled only after the work ends. */
export function setStopListeners(all: ReadonlyMap<NodeJS.Signals, Listener>): void {
  for (const [name, listener] of all) listeners.set(name, listener);
}

/**
 * Runs long synchronous work that writes nothing. A signal terminates the process immediately, because
 * a listener could run only afterwards.
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

/** Lets pending signals arrive, and throws if the run was aborted. */
export async function stopIfAborted(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}
