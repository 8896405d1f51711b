import type { AuditReads, AuditWrites } from '@catalog/core/ports/audit';
import type { PlainRows } from '@catalog/core/ports/plain-tables';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Run, Transaction } from './queries.ts';
import { plainTable, readJson } from './table.ts';
import { takeNumbers } from './tenant-counters.ts';
import type { Sql } from './sql.ts';

type AuditRow = PlainRows['audit'];

const AUDIT = plainTable('audit');
const LIST = `SELECT position, record FROM audit WHERE tenant = $1 AND position > $2
  ORDER BY position LIMIT $3`;

const LIST_NEWEST = `SELECT position, record FROM audit WHERE tenant = $1 AND position < $2
  ORDER BY position DESC LIMIT $3`;

export function auditReads(run: Run): AuditReads {
  const read = (statement: Sql<AuditRow>, tenant: Tenant, from: number, limit: number) =>
    run(tenant, async (queries) => {
      const rows = await queries.rows(statement, tenant, from, limit);
      return rows.map(({ position, record }) => ({ position, record: readJson(record) }));
    });
  return {
    list: (tenant, after, limit) => read(LIST, tenant, after, limit),
    listNewest: (tenant, before = Number.MAX_SAFE_INTEGER, limit) =>
      read(LIST_NEWEST, tenant, before, limit),
  };
}

export function auditWrites({ run }: Transaction): AuditWrites {
  return {
    ...auditReads(run),
    async append(tenant, records) {
      if (records.length === 0) return;
      await run(tenant, async (queries) => {
        const first = await takeNumbers(queries, tenant, 'audit_position', records.length);
        const rows = records.map((record, at) => ({ tenant, position: first + at, record }));
        await queries.insert(AUDIT, rows);
      });
    },
  };
}
