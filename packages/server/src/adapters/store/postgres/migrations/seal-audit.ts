import type { Tenant } from '@catalog/core/ports/tenant';
import type { ClientBase } from 'pg';
import { now } from '../../../clock.ts';
import { newTraceId } from '../../../id.ts';
import { upgradeRecord } from '../../shared/upgrade-record.ts';
import { sealEarlierRecords, startTree } from '../../shared/audit.ts';
import { dialect } from '../dialect.ts';
import { clientQueries, SCHEMA } from '../pool/pool.ts';

/** Programs of releases before this step append records without commitments. */
const STEP = "name = 'audit-proofs'";

// A program of an earlier release that still runs can no longer append records.
const REQUIRE_SEALED = `ALTER TABLE ${SCHEMA}.audit
  ADD CONSTRAINT audit_sealed CHECK (leaf_hash IS NOT NULL) NOT VALID`;
const IS_SEALED = `SELECT NOT EXISTS (SELECT 1 FROM ${SCHEMA}.migrations WHERE ${STEP})
  OR EXISTS (SELECT 1 FROM pg_constraint
    WHERE conname = 'audit_sealed' AND connamespace = '${SCHEMA}'::regnamespace) AS sealed`;

/** Returns true if no record needs sealing, or if the schema cannot store sealed records yet. */
export async function isAuditSealed(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ sealed: boolean }>(IS_SEALED);
  return rows[0]?.sealed === true;
}

const ROWS_AT_ONCE = 1000;

/**
 * Replaces the personal values in records of earlier releases by commitments, in batches that an
 * interrupted run resumes. Then every tenant with records gets a tree, whose first record commits to
 * them. Writers wait only for the last batch of their tenant.
 */
export async function sealAudit(client: ClientBase): Promise<void> {
  if (await isAuditSealed(client)) return;
  await client.query(`SET search_path = ${SCHEMA}`);
  await client.query("ALTER TABLE tenants ALTER audit_tree SET DEFAULT ''");
  const { rows } = await client.query<{ tenant: Tenant }>(
    'SELECT tenant FROM tenants WHERE audit_tree IS NULL ORDER BY tenant',
  );
  for (const { tenant } of rows) await sealTenant(client, tenant);
  await client.query(`BEGIN; ${REQUIRE_SEALED};
    UPDATE migrations SET oldest_program = number WHERE ${STEP}; COMMIT`);
}

async function sealTenant(client: ClientBase, tenant: Tenant): Promise<void> {
  const queries = clientQueries(client);
  let last = 0;
  const sealBatch = async (): Promise<boolean> => {
    const sealed = await sealEarlierRecords(queries, dialect, tenant, last, ROWS_AT_ONCE);
    last = sealed ?? last;
    return sealed !== undefined;
  };
  while (await inTransaction(client, sealBatch));
  await inTransaction(client, async () => {
    await queries.row('SELECT 1 FROM tenants WHERE tenant = $1 FOR UPDATE', tenant);
    while (await sealBatch());
    const found = await queries.row('SELECT 1 FROM audit WHERE tenant = $1 LIMIT 1', tenant);
    if (found === undefined) {
      await queries.run("UPDATE tenants SET audit_tree = '' WHERE tenant = $1", tenant);
    } else {
      await startTree(queries, tenant, upgradeRecord(now(), newTraceId()));
    }
  });
}

async function inTransaction<Result>(
  client: ClientBase,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
