import type { SessionChoice, SessionReads, SessionWrites } from '@catalog/core/ports/sessions';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Connection, Run } from './connection.ts';
import type { Transaction } from './transaction.ts';

export function sessionReads(run: Run): SessionReads {
  return {
    get: (tenant, session_id, id) =>
      run((connection) => getChoice(connection, tenant, session_id, id)),
  };
}

export function sessionWrites({ run }: Transaction): SessionWrites {
  return {
    ...sessionReads(run),
    remember: (tenant, session_id, id, choice, expires_at) =>
      run((connection) => {
        connection
          .statement(
            `INSERT INTO sessions (tenant, session_id, id, layer, version, expires_at)
             VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
          )
          .run(tenant, session_id, id, choice.layer, choice.version, expires_at);
        return getChoice(connection, tenant, session_id, id) ?? choice;
      }),
    prune: (now) =>
      run((connection) => {
        connection.statement('DELETE FROM sessions WHERE expires_at <= ?').run(now);
      }),
  };
}

function getChoice(
  connection: Connection,
  tenant: Tenant,
  session_id: string,
  id: string,
): SessionChoice | undefined {
  return connection
    .statement<SessionChoice>(
      'SELECT layer, version FROM sessions WHERE tenant = ? AND session_id = ? AND id = ?',
    )
    .get(tenant, session_id, id);
}
