const STEPS = 4096;
/** Value from which adjacent 16-bit floats are two steps apart. */
const COARSE = STEPS / 2;
/** Length of rounded vectors, so that rounding never makes one longer than 1. */
const LENGTH = STEPS - 2;

/**
 * Rounds a unit vector to steps of 1/4096, which fit 16-bit floats. Products and sums are then exact in 32-bit floats,
 * so every engine computes the same similarity in any order. All similarities decrease by about a thousandth, and
 * rounding adds errors of about 1e-4. Engines round once, their input.
 */
export function roundVector(vector: Float32Array): Float32Array {
  const rounded = new Float32Array(vector.length);
  const steps = toSteps(vector);
  for (let at = 0; at < steps.length; at += 1) rounded[at] = (steps[at] ?? 0) / STEPS;
  return rounded;
}

/** Converts a rounded vector to integers; `cosineOfSteps` converts their sums back. */
export function toSteps(vector: Float32Array): Int16Array {
  const steps = new Int16Array(vector.length);
  // A loop is ten times as fast as a callback, and `Math.floor` is faster than `Math.round`.
  for (let at = 0; at < steps.length; at += 1) {
    const step = Math.floor((vector[at] ?? 0) * LENGTH + 0.5);
    steps[at] = step > COARSE || step < -COARSE ? Math.round(step / 2) * 2 : step;
  }
  return steps;
}

export function cosineOfSteps(sum: number): number {
  return sum / (STEPS * STEPS);
}
