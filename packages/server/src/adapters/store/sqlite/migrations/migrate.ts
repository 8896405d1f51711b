import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Connection } from '../connection/connection.ts';
import type { RunnableStep } from '../../shared/frozen-step.ts';

/** Application id of the file: the letters `CATL`. */
const APPLICATION_ID = 0x4341_544c;

interface Applied {
  number: number;
  name: string;
  checksum: string;
}

/**
 * Applies missing schema steps, each in its own transaction. Rejects a file of a newer release or another program, and
 * one with different steps. The caller must have exclusive access. If the file already had a schema, each step is
 * reported before it begins.
 */
export function migrate(
  connection: Connection,
  path: string,
  migrations: readonly RunnableStep[],
  onStep: (step: RunnableStep) => void = () => undefined,
): void {
  claimFile(connection, path);
  const missing = missingSteps(connection, path, migrations);
  const isNew = missing.length === migrations.length;
  for (const migration of missing) {
    if (!isNew) onStep(migration);
    apply(connection, migration);
  }
}

/** Requires exactly the schema of this release, because a reader does not migrate the file. */
export function requireCurrent(
  connection: Connection,
  path: string,
  migrations: readonly RunnableStep[],
): void {
  const missing = missingSteps(connection, path, migrations);
  if (missing.length === 0) return;
  const isNew = missing.length === migrations.length;
  throw new CatalogError(
    'config.invalid',
    isNew
      ? `${path} is not a catalog store.`
      : `The schema of ${path} is at step ${migrations.length - missing.length}, but this release needs step ${migrations.length}.`,
    {
      details: { path },
      suggested_action: isNew
        ? 'Use the SQLite file of a registry.'
        : 'Stop any registry that uses the file, then run `catalog admin migrate`.',
    },
  );
}

export function missingSteps(
  connection: Connection,
  path: string,
  migrations: readonly RunnableStep[],
): readonly RunnableStep[] {
  const applied = isClaimed(connection) ? listApplied(connection) : [];
  for (const row of applied) refuseUnknown(row, migrations, path);
  return migrations.slice(applied.length);
}

function listApplied(connection: Connection): Applied[] {
  return connection
    .statement<Applied>('SELECT number, name, checksum FROM migrations ORDER BY number')
    .all();
}

function isClaimed(connection: Connection): boolean {
  const row = connection
    .statement<{ application_id: number }>('SELECT application_id FROM pragma_application_id')
    .get();
  return row?.application_id === APPLICATION_ID;
}

function apply(connection: Connection, migration: RunnableStep): void {
  connection.exec('BEGIN IMMEDIATE');
  try {
    connection.exec(migration.readSql());
    connection
      .statement(
        `INSERT INTO migrations (number, name, checksum, applied_at)
         VALUES (?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`,
      )
      .run(migration.number, migration.name, migration.checksum);
    connection.exec('COMMIT');
  } catch (error) {
    if (connection.inTransaction()) connection.exec('ROLLBACK');
    throw error;
  }
}

/** Writes the application id into an empty file. Rejects other files without it. */
function claimFile(connection: Connection, path: string): void {
  const row = connection
    .statement<{ application_id: number; tables: number }>(
      `SELECT application_id, (SELECT count(*) FROM sqlite_schema) AS tables
       FROM pragma_application_id`,
    )
    .get();
  if (row?.application_id === APPLICATION_ID) return;
  if (row === undefined || row.tables > 0) {
    throw new CatalogError('config.invalid', `${path} is a database of another program.`, {
      details: { path },
      suggested_action: 'Use another file; the registry creates it.',
    });
  }
  connection.exec(`
    BEGIN IMMEDIATE;
    PRAGMA application_id = ${APPLICATION_ID};
    CREATE TABLE migrations (
      number INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      checksum TEXT NOT NULL,
      applied_at TEXT NOT NULL
    ) STRICT;
    COMMIT;`);
}

function refuseUnknown(applied: Applied, migrations: readonly RunnableStep[], path: string): void {
  const known = migrations[applied.number - 1];
  if (known === undefined) {
    throw new CatalogError(
      'config.invalid',
      `${path} was written by a newer release: it has schema step ${applied.number} (${applied.name}), but this one supports ${migrations.length}.`,
      {
        details: { path },
        suggested_action: 'Run the release that wrote the file, or a later one.',
      },
    );
  }
  if (known.checksum === applied.checksum) return;
  throw new CatalogError(
    'config.invalid',
    `The schema of ${path} does not match this release: step ${applied.number} (${applied.name}) differs.`,
    {
      details: { path },
      suggested_action: 'Run the release that wrote the file, or restore it from a backup.',
    },
  );
}
