import type { Tenant } from '@catalog/core/ports/tenant';
import type { Connection } from './connection.ts';

/** The revision of each tenant, as this side of a commit sees it; answered from memory. */
export interface Revisions {
  get(tenant: Tenant): number;
}

/** The revision of every tenant, as of the last commit. */
export function loadRevisions(connection: Connection): Map<Tenant, number> {
  const rows = connection
    .statement<{ tenant: number; revision: number }>('SELECT tenant, revision FROM tenants')
    .all();
  return new Map(rows.map(({ tenant, revision }) => [tenant, revision]));
}
