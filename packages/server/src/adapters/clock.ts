/** Returns the current time. No other code in this package reads the clock. */
export function now(): Date {
  return new Date();
}

export function monotonicMs(): number {
  return performance.now();
}
