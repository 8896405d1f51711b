import type {
  ArchiveReads,
  ArchiveRows,
  ArchiveWrites,
  PendingRestore,
  PlainTable,
} from '@catalog/core/ports/archive';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import type { Connection, Run } from './connection.ts';
import { insertResource } from './directory.ts';
import { insertGrant } from './grants.ts';
import { readJson, type JsonText } from './json-column.ts';
import { insertEndedJob } from './jobs.ts';
import { insertLayer } from './layers.ts';
import { inSteps } from './steps.ts';
import { insertTenant } from './tenants.ts';
import type { Transaction } from './transaction.ts';

const HOLDS_SOMETHING = `SELECT 1 FROM layer_numbers UNION ALL SELECT 1 FROM admin_grants
  UNION ALL SELECT 1 FROM tenant_records WHERE tenant <> ?
  UNION ALL SELECT 1 FROM directory_resources UNION ALL SELECT 1 FROM directory_given_up LIMIT 1`;

export function archiveReads(run: Run): ArchiveReads {
  return {
    isEmpty: () =>
      run((connection) => connection.statement(HOLDS_SOMETHING).get(ONLY_TENANT) === undefined),
    getPendingRestore: () => run(getPending),
  };
}

export function archiveWrites(transaction: Transaction): ArchiveWrites {
  const { run } = transaction;
  return {
    ...archiveReads(run),
    async put(tenant, table, rows) {
      await inSteps(run, rows, (connection, some) => {
        for (const row of some) INSERT[table](connection, row);
      });
      transaction.touchTenant(tenant);
    },
    setPendingRestore: (pending) => run((connection) => setPending(connection, pending)),
  };
}

function getPending(connection: Connection): PendingRestore | undefined {
  const row = connection
    .statement<{ source: string; done: JsonText<PendingRestore['done']> }>(
      'SELECT source, done FROM restores',
    )
    .get();
  return row && { source: row.source, done: readJson(row.done) };
}

function setPending(connection: Connection, pending: PendingRestore | undefined): void {
  if (pending === undefined) {
    connection.exec('DELETE FROM restores');
    return;
  }
  connection
    .statement(
      `INSERT INTO restores (only_one, source, done) VALUES (1, ?, ?)
       ON CONFLICT DO UPDATE SET source = excluded.source, done = excluded.done`,
    )
    .run(pending.source, JSON.stringify(pending.done));
}

const INSERT: {
  [Table in PlainTable]: (connection: Connection, row: ArchiveRows[Table]) => void;
} = {
  tenants: (connection, row) =>
    connection
      .statement(
        `INSERT OR REPLACE INTO tenants (tenant, revision, ingest_order, event_sequence, audit_position)
         VALUES (?, ?, ?, ?, ?)`,
      )
      .run(row.tenant, row.revision, row.ingest_order, row.event_sequence, row.audit_position),
  tenant_records(connection, record) {
    connection.statement('DELETE FROM tenant_records WHERE tenant = ?').run(record.tenant);
    insertTenant(connection, { extends_parents: null, ...record });
  },
  admin_grants: (connection, grant) => insertGrant(connection, grant.tenant, grant),
  directory_resources: (connection, resource) =>
    insertResource(connection, resource.tenant, resource),
  directory_members: (connection, { tenant, group_id, user_id }) =>
    connection
      .statement('INSERT INTO directory_members (tenant, group_id, user_id) VALUES (?, ?, ?)')
      .run(tenant, group_id, user_id),
  directory_given_up: (connection, { tenant, kind, name }) =>
    connection
      .statement('INSERT INTO directory_given_up (tenant, kind, name) VALUES (?, ?, ?)')
      .run(tenant, kind, name),
  layer_numbers: (connection, { tenant, id, number, revision, holder = null }) =>
    connection
      .statement(
        'INSERT INTO layer_numbers (tenant, id, number, revision, holder) VALUES (?, ?, ?, ?, ?)',
      )
      .run(tenant, id, number, revision, holder),
  layers: (connection, layer) => insertLayer(connection, layer.tenant, layer.number, layer),
  ledger: (connection, { tenant, layer_id, id, version, authored_hash }) =>
    connection
      .statement(
        `INSERT INTO version_ledger (tenant, layer_id, id, version, authored_hash)
         VALUES (?, ?, ?, ?, ?)`,
      )
      .run(tenant, layer_id, id, version, authored_hash),
  jobs: (connection, job) => insertEndedJob(connection, job),
  outbox: (connection, { tenant, sequence, body }) =>
    connection
      .statement('INSERT INTO outbox (tenant, sequence, timestamp, body) VALUES (?, ?, ?, ?)')
      .run(tenant, sequence, body.timestamp, JSON.stringify(body)),
  audit: (connection, { tenant, position, record }) =>
    connection
      .statement('INSERT INTO audit (tenant, position, record) VALUES (?, ?, ?)')
      .run(tenant, position, JSON.stringify(record)),
};
