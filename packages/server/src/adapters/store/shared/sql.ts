declare const row: unique symbol;

/** SQL statement with the type of its rows. */
export type Sql<Row extends object> = string & { readonly [row]?: Row };
