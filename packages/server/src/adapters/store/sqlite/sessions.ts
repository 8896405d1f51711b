import type { SessionChoice, SessionReads, SessionWrites } from '@catalog/core/ports/sessions';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Connection, Run } from './connection.ts';
import { LIMIT } from './limit.ts';
import type { Transaction } from './transaction.ts';

const PRUNE = `DELETE FROM sessions WHERE (tenant, session_id, id) IN
  (SELECT tenant, session_id, id FROM sessions WHERE expires_at <= ? ${LIMIT})`;

export function sessionReads(run: Run): SessionReads {
  return {
    get: (tenant, session_id, id, now) =>
      run((connection) => getChoice(connection, tenant, session_id, id, now)),
  };
}

export function sessionWrites({ run }: Transaction): SessionWrites {
  return {
    ...sessionReads(run),
    remember: (tenant, session_id, id, choice, { now, expires_at }) =>
      run((connection) => {
        connection
          .statement(
            `INSERT INTO sessions (tenant, session_id, id, layer, version, expires_at)
             VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET layer = excluded.layer,
               version = excluded.version, expires_at = excluded.expires_at
             WHERE expires_at <= ?`,
          )
          .run(tenant, session_id, id, choice.layer, choice.version, expires_at, now);
        return getChoice(connection, tenant, session_id, id, now) ?? choice;
      }),
    prune: (now, most) =>
      run((connection) => Number(connection.statement(PRUNE).run(now, most).changes)),
  };
}

function getChoice(
  connection: Connection,
  tenant: Tenant,
  session_id: string,
  id: string,
  now: string,
): SessionChoice | undefined {
  return connection
    .statement<SessionChoice>(
      `SELECT layer, version FROM sessions
       WHERE tenant = ? AND session_id = ? AND id = ? AND expires_at > ?`,
    )
    .get(tenant, session_id, id, now);
}
