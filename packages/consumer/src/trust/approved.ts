declare const approval: unique symbol;

/**
 * Effect that the user agreed to, or that stays inside the workspace. Functions that write, execute or send require
 * this type, and only this folder creates it, so code without consent does not compile.
 */
export type Approved<Effect> = Effect & { readonly [approval]: true };

/** Marks an effect as approved. Only modules of this folder may call it (tests/architecture). */
export function approve<Effect>(effect: Effect): Approved<Effect> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand has no run-time form
  return effect as Approved<Effect>;
}
