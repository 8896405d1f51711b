import {
  KEPT_SUBJECT_CHOICES,
  MAX_ANONYMOUS_CHOICES,
  MAX_SUBJECT_CHOICES,
  type SessionChoice,
  type SessionKey,
  type SessionReads,
  type SessionWrites,
} from '@catalog/core/ports/sessions';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Dialect } from './dialect.ts';
import { NO_TENANT, type Queries, type Run, type Transaction } from './queries.ts';

export function sessionReads(run: Run, dialect: Dialect): SessionReads {
  return {
    get: (tenant, session, id, now) =>
      run(tenant, (queries) => getChoice(queries, dialect, tenant, session, id, now)),
  };
}

export function sessionWrites({ beside }: Transaction, dialect: Dialect): SessionWrites {
  return {
    ...sessionReads(beside, dialect),
    remember: (tenant, session, id, choice, { now, expires_at }) =>
      beside(tenant, async (queries) => {
        const written = await queries.row(
          dialect.REMEMBER_CHOICE,
          tenant,
          session.subject,
          session.session_id,
          id,
          choice.layer,
          choice.version,
          expires_at,
          now,
        );
        const number = written?.anonymous_number ?? null;
        if (number !== null) {
          await queries.run(dialect.DROP_OLDEST_CHOICES, tenant, number - MAX_ANONYMOUS_CHOICES);
        }
        if (session.subject !== '' && written !== undefined) {
          await dropSubjectChoices(queries, dialect, tenant, session.subject);
        }
        return (await getChoice(queries, dialect, tenant, session, id, now)) ?? choice;
      }),
    prune: (now, max_deleted) =>
      beside(NO_TENANT, (queries) => dialect.pruneChoices(queries, now, max_deleted)),
  };
}

async function dropSubjectChoices(
  queries: Queries,
  { HAS_CHOICE_AFTER, DROP_SUBJECT_CHOICES }: Dialect,
  tenant: Tenant,
  subject: string,
): Promise<void> {
  const isFull = await queries.row(HAS_CHOICE_AFTER, tenant, subject, MAX_SUBJECT_CHOICES);
  if (isFull === undefined) return;
  await queries.run(DROP_SUBJECT_CHOICES, tenant, subject, KEPT_SUBJECT_CHOICES);
}

function getChoice(
  queries: Queries,
  { GET_CHOICE }: Dialect,
  tenant: Tenant,
  { subject, session_id }: SessionKey,
  id: string,
  now: string,
): Promise<SessionChoice | undefined> {
  return queries.row(GET_CHOICE, tenant, subject, session_id, id, now);
}

export function choiceStatements(
  table: string,
  nextAnonymousNumber: string,
): Pick<Dialect, 'GET_CHOICE' | 'HAS_CHOICE_AFTER' | 'REMEMBER_CHOICE'> {
  return {
    HAS_CHOICE_AFTER: `SELECT 1 AS found FROM ${table} WHERE tenant = $1 AND subject = $2 LIMIT 1 OFFSET $3`,
    GET_CHOICE: `SELECT layer, version FROM ${table}
      WHERE tenant = $1 AND subject = $2 AND session_id = $3 AND id = $4 AND expires_at > $5`,
    REMEMBER_CHOICE: `INSERT INTO ${table}
        (tenant, subject, session_id, id, layer, version, expires_at, anonymous_number)
      VALUES ($1, $2, $3, $4, $5, $6, $7, CASE WHEN $2 = '' THEN ${nextAnonymousNumber} END)
      ON CONFLICT (tenant, subject, session_id, id) DO UPDATE
      SET layer = excluded.layer, version = excluded.version, expires_at = excluded.expires_at,
        anonymous_number = excluded.anonymous_number
      WHERE ${table}.expires_at <= $8
      RETURNING anonymous_number`,
  };
}
