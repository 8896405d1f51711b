import { setTimeout as delay } from 'node:timers/promises';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { Client, DatabaseError, type ClientBase } from 'pg';
import { SCHEMA } from '../pool/pool.ts';
import type { Migration } from './migration.ts';
import { requireVectorSchema } from './require-vector-schema.ts';
import { FIRST_RESTRICTED_STEP, restrictProgram } from './restrict-program.ts';

export interface AppliedStep {
  number: number;
  name: string;
  checksum: string;
  oldest_program: number;
}

export const MIGRATION_CONNECT_TIMEOUT_MS = 10_000;

/** Key of the advisory lock: the letters `catalog` as a number. */
const MIGRATION_LOCK = 0x63_6174_616c;

/**
 * Creates the roles. Login roles of programs belong to `catalog_program`; the migration role belongs to
 * `catalog_keeper`.
 */
const FOUNDATION = `
DO $$
DECLARE missing text;
BEGIN
  FOREACH missing IN ARRAY ARRAY['catalog_program', 'catalog_keeper'] LOOP
    IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = missing) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN', missing);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- made for another database meanwhile
      END;
    END IF;
  END LOOP;
  -- Who made a role may grant it, and is not a member that has its rights.
  IF NOT pg_has_role(current_user, 'catalog_keeper', 'USAGE') THEN
    EXECUTE format('GRANT catalog_keeper TO %I', current_user);
  END IF;
END $$;
CREATE SCHEMA IF NOT EXISTS ${SCHEMA};
GRANT USAGE ON SCHEMA ${SCHEMA} TO catalog_program, catalog_keeper;
GRANT CREATE ON SCHEMA ${SCHEMA} TO catalog_keeper;
CREATE TABLE IF NOT EXISTS ${SCHEMA}.migrations (
  number int PRIMARY KEY,
  name text NOT NULL,
  checksum text NOT NULL,
  oldest_program int NOT NULL,
  applied_at timestamptz(3) NOT NULL DEFAULT now()
);
GRANT SELECT ON ${SCHEMA}.migrations TO catalog_program;
`;

/** Loads pgvector: some steps set `hnsw.ef_search`, which only a superuser may set before the extension is loaded. */
const LOAD_VECTOR = `
DO $$ BEGIN
  IF to_regtype('${SCHEMA}.vector') IS NOT NULL THEN
    EXECUTE $load$ SELECT '[1]'::${SCHEMA}.vector $load$;
  END IF;
END $$`;

const LIST_APPLIED = `SELECT number, name, checksum, oldest_program FROM ${SCHEMA}.migrations ORDER BY number`;

/** Applies missing steps and returns them. One process runs at a time, and each step is a transaction. */
export async function migrate(
  dsn: string,
  migrations: readonly Migration[],
  onStep: (migration: Migration) => void = () => undefined,
): Promise<readonly Migration[]> {
  const client = new Client({
    connectionString: dsn,
    application_name: 'catalog migrate',
    connectionTimeoutMillis: MIGRATION_CONNECT_TIMEOUT_MS,
    options: `-c search_path=${SCHEMA} -c client_min_messages=warning`,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(FOUNDATION);
    await requireVectorSchema(client);
    await client.query(LOAD_VECTOR);
    const applied = await listApplied(client);
    const missing = missingSteps(applied, migrations);
    for (const migration of missing) {
      onStep(migration);
      await apply(client, migration);
    }
    const isNew = applied.length === 0 && missing.length >= FIRST_RESTRICTED_STEP;
    if (isNew) await restrictProgram(client);
    return missing;
  } finally {
    await client.end();
  }
}

/** Lists the steps that a database lacks. Throws if this program cannot migrate the database. */
export function missingSteps(
  applied: readonly AppliedStep[],
  migrations: readonly Migration[],
): readonly Migration[] {
  for (const row of applied) refuseOther(row, migrations);
  requireCompatibleSteps(applied, migrations);
  return migrations.slice(applied.length);
}

/** A role without privileges in the schema cannot resolve its names. */
const HAS_SCHEMA = `SELECT EXISTS (
    SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = '${SCHEMA}' AND c.relname = 'migrations'
  ) AS found`;

export async function hasSchema(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(HAS_SCHEMA);
  return rows[0]?.found === true;
}

export async function listApplied(client: ClientBase): Promise<AppliedStep[]> {
  if (!(await hasSchema(client))) return [];
  const { rows } = await client.query<AppliedStep>(LIST_APPLIED);
  return rows;
}

export function requireSchema(
  applied: readonly AppliedStep[],
  migrations: readonly Migration[],
): void {
  if (missingSteps(applied, migrations).length === 0) return;
  throw new CatalogError(
    'config.invalid',
    applied.length === 0
      ? 'The database has no catalog schema yet.'
      : `The database schema is at step ${applied.length}, but this release needs step ${migrations.length}.`,
    { suggested_action: 'Run `catalog admin migrate`.' },
  );
}

/** Maximum wait for a lock, because later queries queue behind the step. The step is retried after a pause. */
const LOCK_WAIT_MS = 2_000;
const MAX_ATTEMPTS = 10;
const PAUSE_MS = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';

async function apply(client: ClientBase, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await applyOnce(client, migration);
      return;
    } catch (error) {
      const isBusy = error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE;
      if (!isBusy) throw error;
      if (attempt === MAX_ATTEMPTS) throw inTheWay(migration, error);
      await delay(PAUSE_MS);
    }
  }
}

async function applyOnce(client: ClientBase, migration: Migration): Promise<void> {
  const { number, name, checksum, oldest_program } = migration;
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
    await client.query(migration.readSql());
    await client.query(
      `INSERT INTO ${SCHEMA}.migrations (number, name, checksum, oldest_program) VALUES ($1, $2, $3, $4)`,
      [number, name, checksum, oldest_program],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

function inTheWay({ number, name }: Migration, cause: unknown): CatalogError {
  return new CatalogError(
    'registry.unavailable',
    `Step ${number} (${name}) could not acquire its lock because of a long transaction on the database.`,
    {
      suggested_action:
        'Find the transaction in pg_stat_activity, end it or wait, and run `catalog admin migrate` again. Completed steps are kept.',
      cause,
    },
  );
}

function refuseOther(applied: AppliedStep, migrations: readonly Migration[]): void {
  const known = migrations[applied.number - 1];
  if (known === undefined || known.checksum === applied.checksum) return;
  throw new CatalogError(
    'config.invalid',
    `The database schema does not match this release: step ${applied.number} (${applied.name}) differs.`,
    { suggested_action: 'Run the release that wrote it, or restore the database from a backup.' },
  );
}

/** Accepts a newer schema if all of its later steps support this program. */
function requireCompatibleSteps(
  applied: readonly AppliedStep[],
  migrations: readonly Migration[],
): void {
  const newer = applied.find(({ oldest_program }) => oldest_program > migrations.length);
  if (newer === undefined) return;
  throw new CatalogError(
    'config.invalid',
    `The database was migrated by a newer release: step ${newer.number} (${newer.name}) needs a release that supports step ${newer.oldest_program}, but this one supports ${migrations.length}.`,
    { suggested_action: 'Run the release that migrated it, or a later one.' },
  );
}
