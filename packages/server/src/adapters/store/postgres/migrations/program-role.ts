import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import type { ClientBase } from 'pg';

export interface ProgramRole {
  name: string;
  missing: 'role' | 'membership' | undefined;
}

const GET_ROLE = `SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = $1) AS exists,
  EXISTS (
    SELECT 1 FROM pg_auth_members m
    JOIN pg_roles member ON member.oid = m.member JOIN pg_roles role ON role.oid = m.roleid
    WHERE member.rolname = $1 AND role.rolname = 'catalog_program') AS member`;

export async function getProgramRole(client: ClientBase, dsn: string): Promise<ProgramRole> {
  const name = decodeURIComponent(new URL(dsn).username);
  const { rows } = await client.query<{ exists: boolean; member: boolean }>(GET_ROLE, [name]);
  const [row] = rows;
  if (row?.exists !== true) return { name, missing: 'role' };
  return { name, missing: row.member ? undefined : 'membership' };
}

/** Creates the role with the name and password in `store.dsn`. An existing role becomes a member. */
export async function prepareProgramRole(
  client: ClientBase,
  dsn: string,
  newSalt: () => Uint8Array,
): Promise<ProgramRole> {
  const role = await getProgramRole(client, dsn);
  const password = decodeURIComponent(new URL(dsn).password);
  if (role.missing === 'role') {
    await execute(client, 'CREATE ROLE %I LOGIN PASSWORD %L IN ROLE catalog_program', [
      role.name,
      scramVerifier(password, newSalt()),
    ]);
  } else if (role.missing === 'membership') {
    await execute(client, 'GRANT catalog_program TO %I', [role.name]);
  }
  return role;
}

/** Runs a statement that does not support parameters; the server quotes identifiers and strings. */
async function execute(client: ClientBase, form: string, values: string[]): Promise<void> {
  const places = values.map((_, at) => `$${at + 2}::text`).join(', ');
  const { rows } = await client.query<{ sql: string }>(`SELECT format($1, ${places}) AS sql`, [
    form,
    ...values,
  ]);
  await client.query(rows[0]?.sql ?? '');
}

const ITERATIONS = 4096;

/**
 * Computes the SCRAM verifier of a password (RFC 5802), so that neither the server nor its log receives the password.
 */
function scramVerifier(password: string, salt: Uint8Array): string {
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, ITERATIONS, 32, 'sha256');
  const stored = createHash('sha256').update(keyed(salted, 'Client Key')).digest('base64');
  const server = keyed(salted, 'Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${Buffer.from(salt).toString('base64')}$${stored}:${server}`;
}

function keyed(key: Uint8Array, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
