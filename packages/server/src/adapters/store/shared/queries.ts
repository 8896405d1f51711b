import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Parameter } from './parameter.ts';
import type { Sql } from './sql.ts';
import type { Table } from './table.ts';

/**
 * Statements on one connection, which sees the rows of one tenant.
 *
 * SQL outside the engines' own folders is PostgreSQL's. SQLite accepts it with three spellings
 * translated when a statement is prepared: `$1`, `= ANY ($1)` and `LIMIT $1`.
 */
export interface Queries {
  /**
   * Returns every row. The SQL must come from a bounded set, because each text is prepared once per
   * connection and kept: values are parameters, lists are bound for `= ANY`.
   */
  rows<Row extends object>(sql: Sql<Row>, ...parameters: Parameter[]): Promise<NoInfer<Row>[]>;
  /** Returns the first row. */
  row<Row extends object>(
    sql: Sql<Row>,
    ...parameters: Parameter[]
  ): Promise<NoInfer<Row> | undefined>;
  /** Returns the number of rows written. */
  run(sql: string, ...parameters: Parameter[]): Promise<number>;
  /** Inserts many rows and returns how many were written; `onConflict` is the clause of the statement. */
  insert<Row extends object>(
    table: Table<Row>,
    rows: readonly Row[],
    onConflict?: string,
  ): Promise<number>;
}

/** Tenant of a statement that reads no tenant's rows. */
export const NO_TENANT = 0;

/**
 * Runs a step for a tenant. Outside a transaction each statement sees what is committed when it runs.
 * PostgreSQL's row-level security shows the step the rows of that tenant only.
 */
export type Run = <Result>(
  tenant: Tenant,
  step: (queries: Queries) => Promise<Result>,
) => Promise<Result>;

/** How sub-stores read: statement by statement, or several statements that must see one state. */
export interface Reads {
  run: Run;
  /** Everything the step reads is from one moment. Costs two more round trips on PostgreSQL. */
  together: Run;
}

/** One running transaction, as the sub-stores that write see it. */
export interface Transaction {
  /**
   * Runs a step after every other change to the tenant: from the first one on, no other transaction
   * changes the tenant before this one ends. Reads stay true until the commit, and numbers are taken
   * in the order of commits.
   */
  run: Run;
  /** Runs a step alongside other changes to the tenant, for rows that lock themselves: jobs, sessions, deliveries. */
  beside: Run;
  /** Marks the tenant's layers, or what they serve, as changed: `layers.revision` rises with the commit. */
  touchTenant(tenant: Tenant): void;
  /** Also raises the layer's own revision, once per transaction however often this is called. */
  touchLayer(tenant: Tenant, layer: LayerNumber): Promise<void>;
  /** Wakes listeners after the commit: events were appended, or jobs were queued or ended. */
  announce(): void;
}
