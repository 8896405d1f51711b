import type { ClientBase } from 'pg';
import { SCHEMA } from '../pool/pool.ts';

/** The step whose functions replace the privileges that this takes away. */
export const FIRST_RESTRICTED_STEP = 18;

/** What the registry only reads and appends to. Purges go through functions. */
const APPEND_ONLY = ['audit', 'version_ledger', 'versions'].map((table) => `${SCHEMA}.${table}`);

const IS_RESTRICTED = `SELECT NOT bool_or(has_table_privilege('catalog_program', name, right_of)) AS restricted
  FROM unnest($1::text[]) AS name, unnest(ARRAY['UPDATE', 'DELETE']) AS right_of`;

// A program of a release before the step would fail when it purges, so it refuses to start.
const RESTRICT = `
  REVOKE UPDATE, DELETE ON ${APPEND_ONLY.join(', ')} FROM catalog_program;
  UPDATE ${SCHEMA}.migrations SET oldest_program = ${FIRST_RESTRICTED_STEP}
    WHERE number = ${FIRST_RESTRICTED_STEP}`;

/** Whether the role of the registry can only append to the audit log, the ledger and the versions. */
export async function isRestricted(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ restricted: boolean }>(IS_RESTRICTED, [APPEND_ONLY]);
  return rows[0]?.restricted === true;
}

/** Revokes the privileges that only releases before the step use. */
export async function restrictProgram(client: ClientBase): Promise<void> {
  await client.query(`BEGIN; ${RESTRICT}; COMMIT`);
}
