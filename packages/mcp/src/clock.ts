/** Returns the current time. No other code in this package reads the clock. */
export function now(): number {
  return Date.now();
}
