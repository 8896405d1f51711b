import type { Tenant } from '@catalog/core/ports/tenant';
import type { Queries } from './queries.ts';

/** Series of a tenant that never skip and never repeat: the tenant is locked until they are committed. */
export type TenantCounter = 'ingest_order' | 'event_sequence' | 'audit_position';

/** Takes the next `count` numbers of a series; answers the first of them. */
export async function takeNumbers(
  queries: Queries,
  tenant: Tenant,
  counter: TenantCounter,
  count: number,
): Promise<number> {
  const row = await queries.row<{ last: number }>(
    `UPDATE tenants SET ${counter} = ${counter} + $2 WHERE tenant = $1 RETURNING ${counter} AS last`,
    tenant,
    count,
  );
  if (row === undefined) throw new Error(`The counter ${counter} was not stored.`);
  return row.last - count + 1;
}
