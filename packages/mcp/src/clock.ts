/** Milliseconds since the epoch; the one place of this package that reads the clock. */
export function now(): number {
  return Date.now();
}
