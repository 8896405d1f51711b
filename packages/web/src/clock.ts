/** Milliseconds since the epoch. */
export function now(): number {
  return Date.now();
}

/** Milliseconds on a clock that only moves forward. */
export function monotonicMs(): number {
  return performance.now();
}
