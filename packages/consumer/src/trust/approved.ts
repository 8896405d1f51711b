declare const approval: unique symbol;

/**
 * An effect the user agreed to, or that stays inside the workspace. Functions that write, run or send
 * something take one, and only this folder makes one, so no path around the question compiles.
 */
export type Approved<Effect> = Effect & { readonly [approval]: true };

/** Marks an effect as approved. For the modules of this folder alone (tests/architecture). */
export function approve<Effect>(effect: Effect): Approved<Effect> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand has no run-time form
  return effect as Approved<Effect>;
}
