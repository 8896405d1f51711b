/** Returns a random number from 0 up to 1. Only this file of the package draws random numbers. */
export function random(): number {
  return Math.random();
}
