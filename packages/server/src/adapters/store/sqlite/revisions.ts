import type { Tenant } from '@catalog/core/ports/tenant';
import type { Connection, Run } from './connection/connection.ts';

export function loadRevisions(connection: Connection): Map<Tenant, number> {
  const rows = connection
    .statement<{ tenant: Tenant; revision: number }>('SELECT tenant, revision FROM tenants')
    .all();
  return new Map(rows.map(({ tenant, revision }) => [tenant, revision]));
}

export function readRevision(run: Run, tenant: Tenant): Promise<number> {
  return run((connection) => {
    const row = connection
      .statement<{ revision: number }>('SELECT revision FROM tenants WHERE tenant = ?')
      .get(tenant);
    return row?.revision ?? 0;
  });
}
