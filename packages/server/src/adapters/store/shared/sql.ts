declare const row: unique symbol;

/** The text of a statement, or of its columns, with the type of the rows that it returns. */
export type Sql<Row extends object> = string & { readonly [row]?: Row };
