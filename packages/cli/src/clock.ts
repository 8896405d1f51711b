/** Milliseconds since the process started. */
export function now(): number {
  return performance.now();
}

/** Milliseconds since 1970. */
export function currentTime(): number {
  return Date.now();
}
