import type { Tenant } from '@catalog/core/ports/tenant';
import { now } from '../../clock.ts';
import { newTraceId } from '../../id.ts';
import { sealEarlierRecords, startTree } from '../shared/audit.ts';
import { upgradeRecord } from '../shared/upgrade-record.ts';
import type { Connection } from './connection/connection.ts';
import { queriesOver } from './connection/queries.ts';
import { dialect } from './dialect.ts';

const ROWS_AT_ONCE = 1000;

/**
 * Replaces the personal values in records of earlier releases by commitments, and starts a tree that
 * commits to them. An interrupted run resumes at the next start.
 */
export async function sealAudit(connection: Connection): Promise<void> {
  const tenants = connection
    .statement<{ tenant: Tenant }>('SELECT DISTINCT tenant FROM audit WHERE leaf_hash IS NULL')
    .all();
  const queries = queriesOver(async (step) => step(connection));
  for (const { tenant } of tenants) {
    let last: number | undefined = 0;
    while (last !== undefined) {
      const after: number = last;
      last = await inTransaction(connection, async () => {
        const sealed = await sealEarlierRecords(queries, dialect, tenant, after, ROWS_AT_ONCE);
        if (sealed === undefined) {
          await startTree(queries, tenant, upgradeRecord(now(), newTraceId()));
        }
        return sealed;
      });
    }
  }
}

async function inTransaction<Result>(
  connection: Connection,
  work: () => Promise<Result>,
): Promise<Result> {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const result = await work();
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    if (connection.inTransaction()) connection.exec('ROLLBACK');
    throw error;
  }
}
