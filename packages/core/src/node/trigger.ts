import { now } from './clock.ts';

/** Turns bursts of triggers into single wake-ups. */
export interface Trigger {
  fire: () => void;
  /** Resolves once there has been a trigger and then quiet, or once a long burst has lasted long enough. */
  settled: (signal: AbortSignal) => Promise<void>;
}

export interface TriggerTimes {
  /** How long it must be quiet. */
  debounce_ms: number;
  /** How long a burst may put a run off. */
  longest_ms: number;
}

export function createTrigger(times: TriggerTimes): Trigger {
  let first: number | undefined;
  let last = 0;
  let wake: (() => void) | undefined;

  return {
    fire: () => {
      last = now();
      first ??= last;
      wake?.();
    },
    settled: (signal) =>
      new Promise<void>((resolve) => {
        let timer: NodeJS.Timeout | undefined;
        function done(): void {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          wake = undefined;
          first = undefined;
          resolve();
        }
        function arm(): void {
          if (first === undefined) return;
          clearTimeout(timer);
          const due = Math.min(last + times.debounce_ms, first + times.longest_ms);
          timer = setTimeout(done, Math.max(0, due - now()));
        }
        wake = arm;
        signal.addEventListener('abort', done);
        if (signal.aborted) done();
        else arm();
      }),
  };
}
