/** Returns milliseconds since the epoch, for comparison with file times. */
export function now(): number {
  return Date.now();
}
