import type { SessionChoice, SessionReads, SessionWrites } from '@catalog/core/ports/sessions';
import type { Tenant } from '@catalog/core/ports/tenant';
import { NO_TENANT, type Queries, type Run } from './queries.ts';
import type { Transaction } from './transaction.ts';

const GET = `SELECT layer, version FROM sessions
  WHERE tenant = $1 AND session_id = $2 AND id = $3 AND expires_at > $4`;
const REMEMBER = `INSERT INTO sessions (tenant, session_id, id, layer, version, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (tenant, session_id, id) DO UPDATE
  SET layer = excluded.layer, version = excluded.version, expires_at = excluded.expires_at
  WHERE sessions.expires_at <= $7`;
const PRUNE = 'SELECT prune_sessions($1, $2) AS pruned';

export function sessionReads(run: Run): SessionReads {
  return {
    get: (tenant, session_id, id, now) =>
      run(tenant, (queries) => getChoice(queries, tenant, session_id, id, now)),
  };
}

export function sessionWrites({ beside }: Transaction): SessionWrites {
  return {
    ...sessionReads(beside),
    remember: (tenant, session_id, id, choice, { now, expires_at }) =>
      beside(tenant, async (queries) => {
        const { layer, version } = choice;
        await queries.run(REMEMBER, tenant, session_id, id, layer, version, expires_at, now);
        return (await getChoice(queries, tenant, session_id, id, now)) ?? choice;
      }),
    prune: (now, most) =>
      beside(NO_TENANT, async (queries) => {
        const row = await queries.row<{ pruned: number }>(PRUNE, now, most);
        return row?.pruned ?? 0;
      }),
  };
}

function getChoice(
  queries: Queries,
  tenant: Tenant,
  session_id: string,
  id: string,
  now: string,
): Promise<SessionChoice | undefined> {
  return queries.row<SessionChoice>(GET, tenant, session_id, id, now);
}
