/** Returns milliseconds since the epoch. */
export function now(): number {
  return Date.now();
}

export function monotonicMs(): number {
  return performance.now();
}
