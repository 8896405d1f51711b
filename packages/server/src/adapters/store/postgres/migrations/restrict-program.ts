import type { ClientBase } from 'pg';
import { SCHEMA } from '../pool/pool.ts';

export const FIRST_RESTRICTED_STEP = 18;

/** Tables to which the registry only adds rows; a purge uses functions. */
const APPEND_ONLY = ['audit', 'version_ledger', 'versions'].map((table) => `${SCHEMA}.${table}`);

const IS_RESTRICTED = `SELECT NOT bool_or(has_table_privilege('catalog_program', name, right_of)) AS restricted
  FROM unnest($1::text[]) AS name, unnest(ARRAY['UPDATE', 'DELETE']) AS right_of`;

// A program of an earlier release could no longer purge, so it refuses to start.
const RESTRICT = `
  REVOKE UPDATE, DELETE ON ${APPEND_ONLY.join(', ')} FROM catalog_program;
  UPDATE ${SCHEMA}.migrations SET oldest_program = ${FIRST_RESTRICTED_STEP}
    WHERE number = ${FIRST_RESTRICTED_STEP}`;

export async function isRestricted(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ restricted: boolean }>(IS_RESTRICTED, [APPEND_ONLY]);
  return rows[0]?.restricted === true;
}

export async function restrictProgram(client: ClientBase): Promise<void> {
  await client.query(`BEGIN; ${RESTRICT}; COMMIT`);
}
