/** The time; the one place of this package that reads the clock. */
export function now(): Date {
  return new Date();
}

/** Milliseconds on a clock that only moves forward: for durations. */
export function monotonicMs(): number {
  return performance.now();
}
