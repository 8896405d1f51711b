/** Milliseconds since the epoch; file times are compared with it. */
export function now(): number {
  return Date.now();
}
