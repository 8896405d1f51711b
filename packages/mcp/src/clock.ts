/** Only this module of the package reads the clock. */
export function now(): number {
  return Date.now();
}
