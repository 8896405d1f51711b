/** Steps from 0 to 1. */
const STEPS = 4096;
/** From here on, numbers of 16 bits are two steps apart. */
const COARSE = STEPS / 2;
/** A vector of unit length is made this long, so that rounding does not make it longer than 1. */
const LENGTH = STEPS - 2;

/**
 * A unit vector as every engine keeps and compares it: in steps of 1/4096, which numbers of 16 bits hold.
 * Products and sums of such are whole multiples of 2^-24 up to 1, which numbers of 32 bits hold. So a cosine
 * is exact, whatever the order an engine adds up in, and the same with all of them; it differs from that
 * of the given vectors by a thousandth of itself, which changes no order, and by some 1e-4. It is applied
 * once: engines do it with what they are given.
 */
export function roundVector(vector: Float32Array): Float32Array {
  const rounded = new Float32Array(vector.length);
  const steps = toSteps(vector);
  for (let at = 0; at < steps.length; at += 1) rounded[at] = (steps[at] ?? 0) / STEPS;
  return rounded;
}

/** The same in whole steps, for engines that add those up: the cosine of two is `cosineOfSteps`. */
export function toSteps(vector: Float32Array): Int16Array {
  const steps = new Int16Array(vector.length);
  // A plain loop, which takes a tenth of what a callback takes; `Math.round` does the same and takes longer.
  for (let at = 0; at < steps.length; at += 1) {
    const step = Math.floor((vector[at] ?? 0) * LENGTH + 0.5);
    steps[at] = step > COARSE || step < -COARSE ? Math.round(step / 2) * 2 : step;
  }
  return steps;
}

/** The cosine of two vectors whose steps multiply and add up to `sum`. */
export function cosineOfSteps(sum: number): number {
  return sum / (STEPS * STEPS);
}
