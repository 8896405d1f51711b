import type { Tenant } from '@catalog/core/ports/tenant';
import type { ReadRevision } from '../shared/layers.ts';
import type { Run } from '../shared/queries.ts';
import type { Sql } from '../shared/sql.ts';

const GET: Sql<{ revision: number }> = 'SELECT revision FROM tenants WHERE tenant = $1';

/**
 * Returns a function that reads the revision. Concurrent callers share a query unless it started before their call,
 * because its result may be outdated.
 */
export function sharedRevision(run: Run): ReadRevision {
  const pending = new Map<Tenant, Promise<number>>();
  const next = new Map<Tenant, Promise<number>>();

  function start(tenant: Tenant): Promise<number> {
    const looked = readRevision(run, tenant).finally(() => {
      if (pending.get(tenant) === looked) pending.delete(tenant);
    });
    pending.set(tenant, looked);
    return looked;
  }

  return (tenant) => {
    const current = pending.get(tenant);
    if (current === undefined) return start(tenant);
    const waiting = next.get(tenant);
    if (waiting !== undefined) return waiting;
    const following = current
      .catch(() => undefined)
      .then(() => {
        next.delete(tenant);
        return start(tenant);
      });
    next.set(tenant, following);
    return following;
  };
}

export async function readRevision(run: Run, tenant: Tenant): Promise<number> {
  const row = await run(tenant, (queries) => queries.row(GET, tenant));
  return row?.revision ?? 0;
}
