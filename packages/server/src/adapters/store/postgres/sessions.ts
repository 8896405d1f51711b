import {
  MAX_ANONYMOUS_CHOICES,
  type SessionChoice,
  type SessionKey,
  type SessionReads,
  type SessionWrites,
} from '@catalog/core/ports/sessions';
import type { Tenant } from '@catalog/core/ports/tenant';
import { NO_TENANT, type Queries, type Run } from './queries.ts';
import type { Transaction } from './transaction.ts';

const GET = `SELECT layer, version FROM session_choices
  WHERE tenant = $1 AND subject = $2 AND session_id = $3 AND id = $4 AND expires_at > $5`;
const REMEMBER = `INSERT INTO session_choices
    (tenant, subject, session_id, id, layer, version, expires_at, anonymous_number)
  VALUES ($1, $2, $3, $4, $5, $6, $7, CASE WHEN $2 = '' THEN nextval('anonymous_choices') END)
  ON CONFLICT (tenant, subject, session_id, id) DO UPDATE
  SET layer = excluded.layer, version = excluded.version, expires_at = excluded.expires_at,
    anonymous_number = excluded.anonymous_number
  WHERE session_choices.expires_at <= $8
  RETURNING anonymous_number`;
/** What another transaction is dropping is left to it. */
const DROP_OLDEST = `DELETE FROM session_choices WHERE tenant = $1 AND ctid = ANY (ARRAY(
  SELECT ctid FROM session_choices WHERE tenant = $1 AND anonymous_number <= $2
  FOR UPDATE SKIP LOCKED))`;
const PRUNE = 'SELECT prune_session_choices($1, $2) AS pruned';

export function sessionReads(run: Run): SessionReads {
  return {
    get: (tenant, session, id, now) =>
      run(tenant, (queries) => getChoice(queries, tenant, session, id, now)),
  };
}

export function sessionWrites({ beside }: Transaction): SessionWrites {
  return {
    ...sessionReads(beside),
    remember: (tenant, session, id, choice, { now, expires_at }) =>
      beside(tenant, async (queries) => {
        const { layer, version } = choice;
        const key = [tenant, session.subject, session.session_id, id];
        const written = await queries.row<{ anonymous_number: number | null }>(
          REMEMBER,
          ...key,
          layer,
          version,
          expires_at,
          now,
        );
        const number = written?.anonymous_number ?? null;
        if (number !== null) {
          await queries.run(DROP_OLDEST, tenant, number - MAX_ANONYMOUS_CHOICES);
        }
        return (await getChoice(queries, tenant, session, id, now)) ?? choice;
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
  { subject, session_id }: SessionKey,
  id: string,
  now: string,
): Promise<SessionChoice | undefined> {
  return queries.row<SessionChoice>(GET, tenant, subject, session_id, id, now);
}
