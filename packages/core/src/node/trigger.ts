import { now } from './clock.ts';

export interface Trigger {
  fire: () => void;
  /** Resolves after a trigger and a pause without another one, at the latest after the maximum duration. */
  settled: (signal: AbortSignal) => Promise<void>;
}

export interface TriggerTimes {
  debounce_ms: number;
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
