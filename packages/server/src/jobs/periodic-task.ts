export interface PeriodicTaskOptions {
  interval_ms: number;
  first: 'at_once' | 'later';
  /** Runs one round, which must end early if the signal aborts. */
  round: (signal: AbortSignal) => Promise<void>;
  onFailure: (cause: unknown) => void;
}

export interface PeriodicTask {
  close(): Promise<void>;
}

/** Starts a task that runs one round at a time. A failed round does not prevent later ones. */
export function startPeriodicTask({
  interval_ms,
  first,
  round,
  onFailure,
}: PeriodicTaskOptions): PeriodicTask {
  const closing = new AbortController();
  let underway: Promise<void> | undefined;
  function start(): void {
    underway ??= round(closing.signal)
      .catch(onFailure)
      .finally(() => {
        underway = undefined;
      });
  }
  const timer = setInterval(start, interval_ms).unref();
  if (first === 'at_once') start();
  return {
    close: async () => {
      closing.abort();
      clearInterval(timer);
      await underway;
    },
  };
}
