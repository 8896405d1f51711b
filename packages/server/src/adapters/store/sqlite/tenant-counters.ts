import type { Tenant } from '@catalog/core/ports/tenant';
import type { Connection } from './connection.ts';

/** Series of a tenant that never skip and never repeat: they are counted in the transaction that uses them. */
export type TenantCounter = 'ingest_order' | 'event_sequence' | 'audit_position' | 'revision';

/** Takes the next `count` numbers of a series; answers the first of them. */
export function takeNumbers(
  connection: Connection,
  tenant: Tenant,
  counter: TenantCounter,
  count: number,
): number {
  const row = connection
    .statement<{ last: number }>(
      `INSERT INTO tenants (tenant, ${counter}) VALUES (?1, ?2)
       ON CONFLICT (tenant) DO UPDATE SET ${counter} = ${counter} + ?2
       RETURNING ${counter} AS last`,
    )
    .get(tenant, count);
  if (row === undefined) throw new Error(`The counter ${counter} was not stored.`);
  return row.last - count + 1;
}
