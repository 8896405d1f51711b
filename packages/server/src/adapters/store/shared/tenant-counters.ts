import type { Tenant } from '@catalog/core/ports/tenant';
import type { Queries } from './queries.ts';

/** Counters of a tenant without gaps or repeats: the transaction that uses a number assigns it. */
export type TenantCounter = 'ingest_order' | 'event_sequence' | 'audit_position';

/** Reserves numbers and returns the first one. */
export async function takeNumbers(
  queries: Queries,
  tenant: Tenant,
  counter: TenantCounter,
  count: number,
): Promise<number> {
  const row = await queries.row<{ last: number }>(
    `INSERT INTO tenants (tenant, ${counter}) VALUES ($1, $2)
     ON CONFLICT (tenant) DO UPDATE SET ${counter} = tenants.${counter} + $2
     RETURNING ${counter} AS last`,
    tenant,
    count,
  );
  if (row === undefined) throw new Error(`The counter ${counter} was not stored.`);
  return row.last - count + 1;
}
