import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Parameter } from './parameter.ts';
import type { Sql } from './sql.ts';
import type { Table } from './table.ts';

/**
 * Connection that sees the rows of one tenant. Shared statements are written for PostgreSQL; SQLite translates `$1`, `=
 * ANY ($1)` and `LIMIT $1`.
 */
export interface Queries {
  /**
   * Runs a statement that returns rows. The SQL must come from a bounded set, because each statement is prepared once
   * per connection: use parameters for values and `= ANY` for lists.
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
 * Runs a step for a tenant. Outside a transaction, each statement sees the data that is committed at that moment. On
 * PostgreSQL, row-level security hides all other tenants.
 */
export type Run = <Result>(
  tenant: Tenant,
  step: (queries: Queries) => Promise<Result>,
) => Promise<Result>;

export interface Reads {
  run: Run;
  /** Runs several reads on one consistent snapshot. Costs two more round trips on PostgreSQL. */
  together: Run;
}

export interface Transaction {
  /**
   * Runs a step with the tenant's lock. Until the transaction ends, no other transaction can change the tenant, so
   * reads stay consistent and numbers are assigned in commit order.
   */
  run: Run;
  /** Runs a step without the tenant's lock, for rows with their own locks: jobs, sessions, deliveries. */
  beside: Run;
  /** Increases `layers.revision` of the tenant, because its layers or their content changed. */
  touchTenant(tenant: Tenant): void;
  /** Increases the revisions of the tenant and of the layer, once per transaction. */
  touchLayer(tenant: Tenant, layer: LayerNumber): Promise<void>;
  /** Notifies listeners of events and jobs after the commit. */
  announce(): void;
}
