import type { Tenant } from '@catalog/core/ports/tenant';
import type { ReadRevision } from '../shared/layers.ts';
import type { Run } from '../shared/queries.ts';
import type { Sql } from '../shared/sql.ts';

const GET: Sql<{ revision: number }> = 'SELECT revision FROM tenants WHERE tenant = $1';

/**
 * Asks the database every time, because any process may have changed the tenant, but once for all who
 * ask at the same time: whoever comes while an answer is on its way, which may be from before, waits
 * for the next one.
 */
export function sharedRevision(run: Run): ReadRevision {
  const under_way = new Map<Tenant, Promise<number>>();
  const next = new Map<Tenant, Promise<number>>();

  function start(tenant: Tenant): Promise<number> {
    const looked = lookAtRevision(run, tenant).finally(() => {
      if (under_way.get(tenant) === looked) under_way.delete(tenant);
    });
    under_way.set(tenant, looked);
    return looked;
  }

  return (tenant) => {
    const current = under_way.get(tenant);
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

export async function lookAtRevision(run: Run, tenant: Tenant): Promise<number> {
  const row = await run(tenant, (queries) => queries.row(GET, tenant));
  return row?.revision ?? 0;
}
