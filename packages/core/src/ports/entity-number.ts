declare const entity: unique symbol;

/** Number of an entity. The type prevents mixing numbers of different kinds. */
export type EntityNumber<Kind extends string> = number & { readonly [entity]?: Kind };
