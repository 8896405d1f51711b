const STEPS = 4096;
/** Step from which adjacent 16-bit floats are two steps apart. */
const COARSE = STEPS / 2;
/** Target length of unit vectors, so that rounding does not make them longer than 1. */
const LENGTH = STEPS - 2;

/**
 * Rounds a unit vector to the form that every engine stores and compares: steps of 1/4096, which
 * fit 16-bit floats. Their products and sums are multiples of 2^-24 up to 1, which fit 32-bit
 * floats. A cosine is therefore exact and the same in every engine, regardless of the order of
 * addition. All cosines become smaller by about a thousandth, which changes no order, and rounding
 * adds errors of about 1e-4. Engines apply the rounding once, to their input.
 */
export function roundVector(vector: Float32Array): Float32Array {
  const rounded = new Float32Array(vector.length);
  const steps = toSteps(vector);
  for (let at = 0; at < steps.length; at += 1) rounded[at] = (steps[at] ?? 0) / STEPS;
  return rounded;
}

/** Returns integer steps for engines that add integers. `cosineOfSteps` converts their sum. */
export function toSteps(vector: Float32Array): Int16Array {
  const steps = new Int16Array(vector.length);
  // A loop takes a tenth of the time of a callback. `Math.floor` is faster than the equivalent
  // `Math.round`.
  for (let at = 0; at < steps.length; at += 1) {
    const step = Math.floor((vector[at] ?? 0) * LENGTH + 0.5);
    steps[at] = step > COARSE || step < -COARSE ? Math.round(step / 2) * 2 : step;
  }
  return steps;
}

export function cosineOfSteps(sum: number): number {
  return sum / (STEPS * STEPS);
}
