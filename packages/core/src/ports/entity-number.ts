declare const entity: unique symbol;

/**
 * The number of a tenant or of a layer. The compiler rejects the one as the other, so arguments
 * cannot be swapped. Plain numbers, such as those of literals, are accepted as both.
 */
export type EntityNumber<Kind extends string> = number & { readonly [entity]?: Kind };
