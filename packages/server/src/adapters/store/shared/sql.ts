declare const row: unique symbol;

/** Carries the type of the returned rows. */
export type Sql<Row extends object> = string & { readonly [row]?: Row };
