import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Parameter } from './parameter.ts';
import type { Sql } from './sql.ts';
import type { Table } from './table.ts';

/**
 * Connection that sees the rows of one tenant. Shared SQL is PostgreSQL's. For SQLite, three constructs
 * are translated: `$1`, `= ANY ($1)` and `LIMIT $1`.
 */
export interface Queries {
  /**
   * Requires SQL from a bounded set, because each statement is prepared once per connection and kept:
   * values are parameters, lists are bound for `= ANY`.
   */
  rows<Row extends object>(sql: Sql<Row>, ...parameters: Parameter[]): Promise<NoInfer<Row>[]>;
  row<Row extends object>(
    sql: Sql<Row>,
    ...parameters: Parameter[]
  ): Promise<NoInfer<Row> | undefined>;
  run(sql: string, ...parameters: Parameter[]): Promise<number>;
  insert<Row extends object>(
    table: Table<Row>,
    rows: readonly Row[],
    onConflict?: string,
  ): Promise<number>;
}

export const NO_TENANT = 0;

/**
 * Outside a transaction, each statement sees the data committed when it runs. With PostgreSQL's
 * row-level security, the step sees only rows of that tenant.
 */
export type Run = <Result>(
  tenant: Tenant,
  step: (queries: Queries) => Promise<Result>,
) => Promise<Result>;

export interface Reads {
  run: Run;
  /** Uses a consistent snapshot. Costs two more round trips on PostgreSQL. */
  together: Run;
}

export interface Transaction {
  /**
   * Holds the tenant's lock: from the first such step on, no other transaction changes the tenant until
   * this one ends. Reads stay consistent until the commit, and numbers are assigned in commit order.
   */
  run: Run;
  /** Runs without the tenant's lock, for rows with their own locks: jobs, sessions, deliveries. */
  beside: Run;
  /** Marks the tenant's layers or their content as changed: `layers.revision` increases. */
  touchTenant(tenant: Tenant): void;
  /** Increases the layer's own revision too, once per transaction. */
  touchLayer(tenant: Tenant, layer: LayerNumber): Promise<void>;
  /** Notifies listeners of events and jobs after the commit. */
  announce(): void;
}
