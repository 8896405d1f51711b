import type { Tenant } from '@catalog/core/ports/tenant';
import type { Connection } from './pool/pool.ts';
import { classify } from './pool/postgres-error.ts';
import type { Queries, Run, Transaction } from '../shared/queries.ts';
import type { ReadRevision } from '../shared/layers.ts';
import { readRevision } from './revision.ts';

export interface OpenTransaction extends Transaction {
  isOpen(): boolean;
  announced(): boolean;
  /** Returns the revision that the commit stores, with the pending increase. */
  revision: ReadRevision;
  /** Commits durably. After an error, it is unknown whether the transaction was committed. */
  commit(): Promise<void>;
  /** Writes pending changes. Throws if an earlier step failed. */
  prepare(): Promise<void>;
  rollback(): Promise<void>;
}

/** The revision follows the clock, so that a promoted standby never uses a number twice. */
const NEXT_REVISION =
  'greatest(revision + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)';
const RAISE_LAYER = `UPDATE layer_numbers SET revision = ${NEXT_REVISION} WHERE tenant = $1 AND number = $2`;
const RAISE_TENANT = `UPDATE tenants SET revision = ${NEXT_REVISION} WHERE tenant = $1`;
const LOCK_TENANT = 'SELECT 1 FROM tenants WHERE tenant = $1 FOR UPDATE';
const ADD_TENANT = 'INSERT INTO tenants (tenant) VALUES ($1) ON CONFLICT DO NOTHING';

export async function beginTransaction(connection: Connection): Promise<OpenTransaction> {
  const locked = new Set<Tenant>();
  const touched = new Set<Tenant>();
  const raised = new Set<Tenant>();
  const layers = new Set<string>();
  let open = true;
  let announced = false;
  let failure: { error: unknown } | undefined;

  async function guarded<Result>(
    tenant: Tenant,
    step: (queries: Queries) => Promise<Result>,
  ): Promise<Result> {
    if (!open) throw new Error('The transaction has ended.');
    if (failure !== undefined) throw failure.error;
    try {
      return await step(await connection.forTenant(tenant));
    } catch (error) {
      // After a failed statement, PostgreSQL rejects all others: a caller that catches this error must not commit.
      failure = { error };
      throw error;
    }
  }

  const run: Run = async (tenant, step) =>
    guarded(tenant, async (queries) => {
      if (!locked.has(tenant)) {
        await lockTenant(queries, tenant);
        locked.add(tenant);
      }
      return step(queries);
    });

  /** Raises the revision of a changed tenant once per transaction. */
  async function raiseTenant(tenant: Tenant): Promise<void> {
    if (!touched.has(tenant) || raised.has(tenant)) return;
    raised.add(tenant);
    await run(tenant, (queries) => queries.run(RAISE_TENANT, tenant));
  }

  await connection.exec('BEGIN');
  return {
    run,
    beside: guarded,
    touchTenant: (tenant) => void touched.add(tenant),
    async touchLayer(tenant, layer) {
      touched.add(tenant);
      const key = `${tenant} ${layer}`;
      if (layers.has(key)) return;
      layers.add(key);
      await run(tenant, (queries) => queries.run(RAISE_LAYER, tenant, layer));
    },
    announce: () => void (announced = true),
    announced: () => announced,
    isOpen: () => open,
    async revision(tenant) {
      await raiseTenant(tenant);
      return readRevision(run, tenant);
    },
    async prepare() {
      for (const tenant of touched) await raiseTenant(tenant);
      if (failure !== undefined) throw failure.error;
    },
    async commit() {
      open = false;
      await connection.commit();
    },
    async rollback() {
      open = false;
      connection.forgetTenant();
      // A lost connection has already rolled back its transaction.
      await connection.exec('ROLLBACK').catch((error: unknown) => {
        if (classify(error) !== 'lost') throw error;
      });
    },
  };
}

export async function inTransaction<Result>(
  connection: Connection,
  step: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const transaction = await beginTransaction(connection);
  try {
    const result = await step(transaction);
    await transaction.prepare();
    await transaction.commit();
    return result;
  } catch (error) {
    if (transaction.isOpen()) await transaction.rollback();
    throw error;
  }
}

async function lockTenant(queries: Queries, tenant: Tenant): Promise<void> {
  if ((await queries.row(LOCK_TENANT, tenant)) !== undefined) return;
  await queries.run(ADD_TENANT, tenant);
  await queries.row(LOCK_TENANT, tenant);
}
