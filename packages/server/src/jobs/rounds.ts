export interface RoundsOptions {
  interval_ms: number;
  /** `at_once`: the first one now, not after the interval. */
  first: 'at_once' | 'later';
  /** Ends early when the signal fires. */
  round: (signal: AbortSignal) => Promise<void>;
  onFailure: (cause: unknown) => void;
}

/** Something that is done again and again. */
export interface Rounds {
  /** Waits for a round that is under way. */
  close(): Promise<void>;
}

/** Does rounds at every interval, never two at a time; after one that failed comes the next. */
export function startRounds({ interval_ms, first, round, onFailure }: RoundsOptions): Rounds {
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
