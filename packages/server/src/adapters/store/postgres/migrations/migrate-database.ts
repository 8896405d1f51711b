import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { SchemaStep } from '@catalog/core/ports/schema-step';
import { Client, DatabaseError } from 'pg';
import {
  listApplied,
  migrate,
  MIGRATION_CONNECT_TIMEOUT_MS,
  missingSteps,
  type AppliedStep,
} from './migrate.ts';
import { migrations } from './table.ts';
import { classify, describeLost } from '../pool/postgres-error.ts';
import { getProgramRole, prepareProgramRole, type ProgramRole } from './program-role.ts';
import { requireVectorSchema } from './require-vector-schema.ts';
import { isRestricted, restrictProgram } from './restrict-program.ts';
import { serverName } from '../pool/server-name.ts';

export interface MigrateDatabaseOptions {
  /** Role of the registry, which is created if missing. */
  dsn: string;
  migration_dsn: string;
  newSalt: () => Uint8Array;
  onStep: (step: SchemaStep) => void;
  /** If true, also revokes the privileges that only the previous release uses. */
  contract?: boolean;
}

export interface DatabaseMigration {
  steps: SchemaStep[];
  role: ProgramRole;
  contract: Contract;
}

/**
 * State of the privileges that only the previous release uses. `applied` means that they are revoked, or would be in a
 * dry run.
 */
export type Contract = 'pending' | 'applied' | 'none';

export async function migrateDatabase(options: MigrateDatabaseOptions): Promise<DatabaseMigration> {
  const { dsn, migration_dsn, newSalt, onStep, contract = false } = options;
  return explained(migration_dsn, async () => {
    if (contract) {
      await asOwner(migration_dsn, async (client) =>
        requireRolledOut(client, await listApplied(client)),
      );
    }
    const steps = await migrate(migration_dsn, migrations, onStep);
    return asOwner(migration_dsn, async (client) => {
      const role = await prepareProgramRole(client, dsn, newSalt);
      const state = toContract(await isRestricted(client), contract);
      if (state === 'applied') await restrictProgram(client);
      return { steps: steps.map(toStep), role, contract: state };
    });
  });
}

export async function planDatabaseMigration(
  options: Pick<MigrateDatabaseOptions, 'dsn' | 'migration_dsn' | 'contract'>,
): Promise<DatabaseMigration> {
  const { dsn, migration_dsn, contract = false } = options;
  return explained(migration_dsn, () =>
    asOwner(migration_dsn, async (client) => {
      await requireVectorSchema(client);
      const applied = await listApplied(client);
      if (contract) await requireRolledOut(client, applied);
      const isNew = applied.length === 0;
      return {
        steps: missingSteps(applied, migrations).map(toStep),
        role: await getProgramRole(client, dsn),
        contract: toContract(isNew || (await isRestricted(client)), contract),
      };
    }),
  );
}

/**
 * Rejects revoking privileges while schema steps are missing: the previous release may still run and need them. For a
 * new database there is no previous release.
 */
async function requireRolledOut(client: Client, applied: readonly AppliedStep[]): Promise<void> {
  const missing = missingSteps(applied, migrations).length;
  if (applied.length === 0 || missing === 0 || (await isRestricted(client))) return;
  throw new CatalogError(
    'config.invalid',
    `The database needs ${missing === 1 ? '1 schema step' : `${missing} schema steps`} of this release first. The previous release needs the privileges that --contract revokes.`,
    {
      suggested_action:
        'Run `catalog admin migrate` without --contract, replace every process, and then run `catalog admin migrate --contract`.',
    },
  );
}

function toContract(is_restricted: boolean, contract: boolean): Contract {
  if (is_restricted) return 'none';
  return contract ? 'applied' : 'pending';
}

function toStep({ number, name }: SchemaStep): SchemaStep {
  return { number, name };
}

async function asOwner<Result>(
  dsn: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({
    connectionString: dsn,
    connectionTimeoutMillis: MIGRATION_CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function explained<Result>(dsn: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw explainMigrationError(error, dsn);
  }
}

/** Adds the fix to an error of the server. Only the operator sees the message. */
export function explainMigrationError(error: unknown, dsn: string): unknown {
  if (error instanceof CatalogError || !(error instanceof Error)) return error;
  const where = serverName(dsn);
  if (!(error instanceof DatabaseError)) {
    if (classify(error) !== 'lost') return error;
    return refusal(
      `Cannot connect to PostgreSQL at ${where}: ${describeLost(error)}.`,
      'Start PostgreSQL, or fix the host and port in store.migration_dsn.',
      error,
    );
  }
  const { message } = error;
  if (/extension "vector" is not available/.test(message)) {
    return refusal(
      `PostgreSQL at ${where} does not have the extension vector.`,
      'Install pgvector on the database host (Debian: postgresql-18-pgvector; others: https://github.com/pgvector/pgvector), then run this again. Hosted databases list it among their extensions.',
      error,
    );
  }
  if (/permission denied to create extension/.test(message)) {
    return refusal(
      'The role in store.migration_dsn is not allowed to create the extension vector.',
      'Run CREATE EXTENSION vector SCHEMA catalog in this database once as a superuser, then run this again.',
      error,
    );
  }
  if (/permission denied to grant role/.test(message)) {
    return refusal(
      'The catalog roles were created by another role, and the role in store.migration_dsn cannot grant them.',
      'As a superuser, run GRANT catalog_keeper, catalog_program TO the role in store.migration_dsn WITH ADMIN OPTION, then run this again.',
      error,
    );
  }
  const advice = ADVICE[error.code ?? ''];
  if (advice === undefined) return error;
  const what = classify(error) === 'refused' ? 'connection' : 'migration';
  return refusal(`PostgreSQL at ${where} rejected the ${what}: ${message}.`, advice, error);
}

const ADVICE: Readonly<Record<string, string>> = {
  '28P01': 'Fix the user and password in store.migration_dsn.',
  '28000': 'Fix the user in store.migration_dsn, or allow it in pg_hba.conf.',
  '3D000': 'Create the database (CREATE DATABASE), or fix its name in store.migration_dsn.',
  '42501':
    'Grant the role in store.migration_dsn CREATE on the database, and CREATEROLE for the first run.',
  '25006': 'This server is a standby. Set store.migration_dsn to the primary.',
};

function refusal(message: string, suggested_action: string, cause: unknown): CatalogError {
  return new CatalogError('config.invalid', message, {
    details: { key: 'store.migration_dsn' },
    suggested_action,
    cause,
  });
}
