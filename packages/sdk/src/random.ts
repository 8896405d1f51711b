/** Returns a random number from 0 up to 1. No other code in this package generates random numbers. */
export function random(): number {
  return Math.random();
}
