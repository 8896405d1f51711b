/** A number from 0 up to 1; the one place of this package that leaves something to chance. */
export function chance(): number {
  return Math.random();
}
