declare const entity: unique symbol;

/** The compiler rejects one kind as the other, so that arguments cannot be swapped. */
export type EntityNumber<Kind extends string> = number & { readonly [entity]?: Kind };
