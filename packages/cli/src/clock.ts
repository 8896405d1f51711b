/** Milliseconds since the process started; the one place of this package that reads the clock. */
export function now(): number {
  return performance.now();
}
