/** Returns milliseconds since the epoch. The only function of this package that reads the clock. */
export function now(): number {
  return Date.now();
}
