import type { Tenant } from '@catalog/core/ports/tenant';

/** What a parameter may be. A list is a PostgreSQL array; JSON goes in as its text. */
export type Parameter =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly (string | number | boolean | null | Uint8Array)[];

/** Statements on one connection, which sees the rows of one tenant. */
export interface Queries {
  /**
   * Every row. The text must come from a bounded set, since each is prepared once on a connection and
   * kept: values are parameters, lists are arrays for `unnest` or `= ANY`.
   */
  rows<Row extends object>(sql: string, ...parameters: Parameter[]): Promise<Row[]>;
  /** The first row. */
  row<Row extends object>(sql: string, ...parameters: Parameter[]): Promise<Row | undefined>;
  /** How many rows were written. */
  run(sql: string, ...parameters: Parameter[]): Promise<number>;
}

/** Nobody's rows: only functions that ask for no tenant answer. */
export const NO_TENANT = 0;

/**
 * Runs a step for a tenant: row-level security shows it that tenant's rows and no others. Outside a
 * transaction each statement sees what is committed when it runs.
 */
export type Run = <Result>(
  tenant: Tenant,
  step: (queries: Queries) => Promise<Result>,
) => Promise<Result>;

/** How sub-stores read: one statement after the other, or several that must see one state. */
export interface Reads {
  run: Run;
  /** Everything the step reads is of one moment. Costs two round trips more. */
  together: Run;
}
