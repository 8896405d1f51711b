import type { AuditReads, AuditRecord, AuditWrites } from '@catalog/core/ports/audit';
import type { Run } from './connection.ts';
import { readJson, type JsonText } from './json-column.ts';
import { LIMIT } from './limit.ts';
import { takeNumbers } from './tenant-counters.ts';
import type { Transaction } from './transaction.ts';

const LIST = `SELECT position, record FROM audit WHERE tenant = ? AND position > ?
  ORDER BY position ${LIMIT}`;

export function auditReads(run: Run): AuditReads {
  return {
    list: (tenant, after, limit) =>
      run((connection) =>
        connection
          .statement<{ position: number; record: JsonText<AuditRecord> }>(LIST)
          .all(tenant, after, limit)
          .map(({ position, record }) => ({ position, record: readJson(record) })),
      ),
  };
}

export function auditWrites({ run }: Transaction): AuditWrites {
  return {
    ...auditReads(run),
    append: (tenant, records) =>
      run((connection) => {
        let position = takeNumbers(connection, tenant, 'audit_position', records.length);
        const insert = connection.statement(
          'INSERT INTO audit (tenant, position, record) VALUES (?, ?, ?)',
        );
        for (const record of records) insert.run(tenant, position++, JSON.stringify(record));
      }),
  };
}
