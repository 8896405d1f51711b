import type { AuditReads, AuditRecord, AuditWrites } from '@catalog/core/ports/audit';
import type { Run } from './queries.ts';
import { takeNumbers } from './tenant-counters.ts';
import type { Transaction } from './transaction.ts';

const LIST = `SELECT position, record FROM audit WHERE tenant = $1 AND position > $2
  ORDER BY position LIMIT $3`;
const APPEND = `INSERT INTO audit (tenant, position, record)
  SELECT $1, $2 + at - 1, record FROM unnest($3::json[]) WITH ORDINALITY AS r (record, at)`;

export function auditReads(run: Run): AuditReads {
  return {
    list: (tenant, after, limit) =>
      run(tenant, (queries) =>
        queries.rows<{ position: number; record: AuditRecord }>(LIST, tenant, after, limit),
      ),
  };
}

export function auditWrites({ run }: Transaction): AuditWrites {
  return {
    ...auditReads(run),
    async append(tenant, records) {
      if (records.length === 0) return;
      await run(tenant, async (queries) => {
        const first = await takeNumbers(queries, tenant, 'audit_position', records.length);
        const texts = records.map((record) => JSON.stringify(record));
        await queries.run(APPEND, tenant, first, texts);
      });
    },
  };
}
