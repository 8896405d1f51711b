import {
  MAX_ANONYMOUS_CHOICES,
  type SessionChoice,
  type SessionKey,
  type SessionReads,
  type SessionWrites,
} from '@catalog/core/ports/sessions';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Connection, Run } from './connection.ts';
import { LIMIT } from './limit.ts';
import type { Transaction } from './transaction.ts';

const GET = `SELECT layer, version FROM sessions
  WHERE tenant = ? AND subject = ? AND session_id = ? AND id = ? AND expires_at > ?`;
const NEXT_NUMBER = `SELECT coalesce(max(anonymous_number), 0) + 1 AS number FROM sessions
  WHERE tenant = ? AND anonymous_number IS NOT NULL`;
const REMEMBER = `INSERT INTO sessions
    (tenant, subject, session_id, id, layer, version, expires_at, anonymous_number)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET layer = excluded.layer,
    version = excluded.version, expires_at = excluded.expires_at,
    anonymous_number = excluded.anonymous_number
  WHERE expires_at <= ?`;
const DROP_OLDEST = 'DELETE FROM sessions WHERE tenant = ? AND anonymous_number <= ?';
const PRUNE = `DELETE FROM sessions WHERE (tenant, subject, session_id, id) IN
  (SELECT tenant, subject, session_id, id FROM sessions WHERE expires_at <= ? ${LIMIT})`;

export function sessionReads(run: Run): SessionReads {
  return {
    get: (tenant, session, id, now) =>
      run((connection) => getChoice(connection, tenant, session, id, now)),
  };
}

export function sessionWrites({ run }: Transaction): SessionWrites {
  return {
    ...sessionReads(run),
    remember: (tenant, session, id, choice, { now, expires_at }) =>
      run((connection) => {
        const { subject, session_id } = session;
        const number = subject === '' ? nextNumber(connection, tenant) : null;
        const row = [tenant, subject, session_id, id, choice.layer, choice.version, expires_at];
        connection.statement(REMEMBER).run(...row, number, now);
        if (number !== null) {
          connection.statement(DROP_OLDEST).run(tenant, number - MAX_ANONYMOUS_CHOICES);
        }
        return getChoice(connection, tenant, session, id, now) ?? choice;
      }),
    prune: (now, most) =>
      run((connection) => Number(connection.statement(PRUNE).run(now, most).changes)),
  };
}

function nextNumber(connection: Connection, tenant: Tenant): number {
  return connection.statement<{ number: number }>(NEXT_NUMBER).get(tenant)?.number ?? 1;
}

function getChoice(
  connection: Connection,
  tenant: Tenant,
  { subject, session_id }: SessionKey,
  id: string,
  now: string,
): SessionChoice | undefined {
  return connection.statement<SessionChoice>(GET).get(tenant, subject, session_id, id, now);
}
