import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { ARCHIVE_TABLES, type ArchiveSource, type ArchiveTable } from '@catalog/core/ports/archive';
import type { MaintenanceRun, Objects } from '@catalog/core/ports/objects';
import type { SchemaStep } from '@catalog/core/ports/schema-step';
import type { StoreSnapshot } from '@catalog/core/ports/store-snapshot';
import { listBackups, nameBackup, removeOldBackups } from './adapters/archive/kept-backups.ts';
import { OBJECTS_FOLDER } from './adapters/archive/manifest.ts';
import { openArchiveReader } from './adapters/archive/read-archive.ts';
import { openArchiveWriter } from './adapters/archive/write-archive.ts';
import { now } from './adapters/clock.ts';
import { newId, newSalt } from './adapters/id.ts';
import { linkObject, readFilesystemObjects } from './adapters/objects/filesystem-objects.ts';
import { migrateFile, planFileMigration } from './adapters/store/sqlite/migrations/migrate-file.ts';
import { openSqliteSnapshot } from './adapters/store/sqlite/snapshot/snapshot.ts';
import { openFolder, openObjects, openStore } from './compose.ts';
import type { Settings } from './config/settings.ts';
import type { ReuseObject } from './operations/copy-objects.ts';
import { copyStore, noRows, type CopyReport } from './operations/copy-store.ts';
import type { OperationHooks } from './operations/operation-hooks.ts';
import { rejectPartialRestore } from './operations/reject-partial-restore.ts';
import { restoreExclusively } from './operations/restore-exclusively.ts';
import { guardObjects } from './registry/object-store/guard-objects.ts';
import { openStoreSink } from './operations/store-sink.ts';
import { verifyStore, type VerificationReport } from './operations/verify-store.ts';

/** Result of a schema migration, or its plan for a dry run. */
export interface MigrationReport {
  store: 'sqlite' | 'postgres';
  steps: readonly SchemaStep[];
  /** Role of the registry, and what was missing for it; null for a store without roles. */
  role: { name: string; missing: 'role' | 'membership' | undefined } | null;
  /** State of the privileges that only the previous release uses: still granted, revoked, or none. */
  contract: 'pending' | 'applied' | 'none';
}

/** Migrates the schema of the configured store. A dry run only lists the steps. */
export async function migrate(
  settings: Settings,
  options: { dry_run: boolean; contract: boolean; onStep: (step: SchemaStep) => void },
): Promise<MigrationReport> {
  const { 'store.dsn': dsn } = settings;
  if (settings['store.type'] === 'sqlite' || dsn === undefined) {
    const path = settings['store.sqlite_path'];
    const steps = options.dry_run
      ? planFileMigration(path)
      : await migrateFile(path, options.onStep);
    return { store: 'sqlite', steps, role: null, contract: 'none' };
  }
  const migration_dsn = requireOwner(settings, 'it creates tables and roles');
  const { migrateDatabase, planDatabaseMigration } =
    await import('./adapters/store/postgres/migrations/migrate-database.ts');
  const { dry_run, ...wanted } = options;
  const done = dry_run
    ? await planDatabaseMigration({ dsn, migration_dsn, ...wanted })
    : await migrateDatabase({ dsn, migration_dsn, newSalt, ...wanted });
  return { store: 'postgres', ...done };
}

/** Result of a restore or a move, including the verification of the new store. */
export interface RestoreReport extends CopyReport {
  resumed: boolean;
  verification: VerificationReport;
}

/** Checks the configured store for corruption. */
export async function verify(
  settings: Settings,
  options: { fast: boolean },
  hooks: OperationHooks,
): Promise<VerificationReport> {
  const objects = await openObjects(settings);
  const started = now();
  const report = await withSnapshot(settings, (snapshot) =>
    verifyStore({ snapshot, objects, ...options }, hooks),
  );
  if (report.finding_count === 0) await recordRun(objects, 'verification', started);
  return report;
}

/** A read-only store cannot record the run. */
async function recordRun(objects: Objects, run: MaintenanceRun, started: Date): Promise<void> {
  await objects.setLastRun(run, started.toISOString()).catch(() => undefined);
}

/** Result of a scheduled backup, with its folder and the older backups it removed. */
export interface KeptBackupReport extends CopyReport {
  folder: string;
  removed: string[];
}

/** Number of earlier backups from which a new one links unchanged objects. */
const REUSED_BACKUPS = 2;

/**
 * Adds a backup and removes all but the newest `keep`. Objects of earlier backups are hard-linked. If the backup
 * contains no versions, nothing is removed, because the registry may have lost its content.
 */
export async function addBackup(
  settings: Settings,
  directory: string,
  keep: number,
  hooks: OperationHooks,
): Promise<KeptBackupReport> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const earlier = (await listBackups(directory)).slice(0, REUSED_BACKUPS);
  const folder = join(directory, nameBackup(now()));
  const report = await backUp(settings, folder, hooks, async (tenant, content_hash) => {
    for (const backup of earlier) {
      const from = join(backup.folder, OBJECTS_FOLDER);
      if (await linkObject(from, join(folder, OBJECTS_FOLDER), tenant, content_hash)) return true;
    }
    return false;
  });
  const removed = report.rows.versions === 0 ? [] : await removeOldBackups(directory, keep);
  return { folder, ...report, removed };
}

/** Writes a backup of the configured store and its objects into a folder. */
export async function backUp(
  settings: Settings,
  folder: string,
  hooks: OperationHooks,
  reuse?: ReuseObject,
): Promise<CopyReport> {
  const source_objects = await openObjects(settings);
  const started = now();
  const report = await withSnapshot(settings, async (source) => {
    await rejectPartialRestore(source.reads);
    const sink = await openArchiveWriter(folder, now().toISOString());
    try {
      const sink_objects = await openFolder(join(folder, OBJECTS_FOLDER));
      return await copyStore({ source, source_objects, sink, sink_objects, reuse }, hooks);
    } finally {
      sink.close();
    }
  });
  await recordRun(source_objects, 'backup', started);
  return report;
}

/** Restores a backup into the configured store, resuming an interrupted restore. */
export async function restore(
  settings: Settings,
  folder: string,
  hooks: OperationHooks,
): Promise<RestoreReport> {
  const source = await openArchiveReader(folder, hooks.signal);
  const source_objects = readFilesystemObjects(join(folder, OBJECTS_FOLDER));
  return fill(settings, { name: source.name, source, source_objects }, hooks);
}

/** Paths of the database and the objects of a standalone registry. */
export interface Standalone {
  sqlite_path: string;
  filesystem_root: string;
}

/** Returns the number of rows per table that a move would copy, without writing anything. */
export async function planMove(
  from: Standalone,
  hooks: OperationHooks,
): Promise<Record<ArchiveTable, number>> {
  const snapshot = await openSqliteSnapshot(from.sqlite_path);
  try {
    await rejectPartialRestore(snapshot.reads);
    return await countRows(snapshot, hooks);
  } finally {
    await snapshot.close();
  }
}

/** Copies a standalone registry into the configured store. */
export async function move(
  settings: Settings,
  from: Standalone,
  hooks: OperationHooks,
): Promise<RestoreReport> {
  const source = await openSqliteSnapshot(from.sqlite_path);
  try {
    await rejectPartialRestore(source.reads);
    const source_objects = readFilesystemObjects(from.filesystem_root);
    const name = `standalone ${bytesHash(JSON.stringify(await readSeries(source)))}`;
    return await fill(settings, { name, source, source_objects }, hooks);
  } finally {
    await source.close();
  }
}

async function fill(
  settings: Settings,
  from: { name: string; source: ArchiveSource; source_objects: Pick<Objects, 'open'> },
  hooks: OperationHooks,
): Promise<RestoreReport> {
  const { name, source, source_objects } = from;
  if (settings['store.type'] === 'postgres') {
    requireOwner(settings, 'it verifies the copy as the owner of the schema');
  }
  const objects = await openObjects(settings);
  const store = await openStore(settings);
  const sink_objects = guardObjects({ objects, store, newId });
  let copied: CopyReport & { resumed: boolean };
  try {
    copied = await restoreExclusively(store.locks, hooks.signal, async (signal) => {
      await sink_objects.checkOwner(signal);
      const sink = await openStoreSink(store, name, source);
      const copy = { source, source_objects, sink, sink_objects };
      return { ...(await copyStore(copy, { ...hooks, signal })), resumed: sink.resumed };
    });
  } finally {
    await store.close();
  }
  return { ...copied, verification: await verify(settings, { fast: false }, hooks) };
}

async function withSnapshot<Result>(
  settings: Settings,
  work: (snapshot: StoreSnapshot) => Promise<Result>,
): Promise<Result> {
  const snapshot = await openSnapshot(settings);
  try {
    return await work(snapshot);
  } finally {
    await snapshot.close();
  }
}

/** Opens a consistent, read-only view of the configured store across all tenants. */
export async function openSnapshot(settings: Settings): Promise<StoreSnapshot> {
  if (settings['store.type'] === 'sqlite') return openSqliteSnapshot(settings['store.sqlite_path']);
  const dsn = requireOwner(settings, 'it reads the data of every tenant');
  const { openPostgresSnapshot } = await import('./adapters/store/postgres/snapshot/snapshot.ts');
  return openPostgresSnapshot(dsn);
}

/**
 * Requires the role that owns the schema: the registry's role sees one tenant at a time and cannot change the schema.
 */
function requireOwner({ 'store.migration_dsn': dsn }: Settings, why: string): string {
  if (dsn !== undefined) return dsn;
  throw new CatalogError('config.invalid', `store.migration_dsn is required but not set: ${why}.`, {
    details: { key: 'store.migration_dsn' },
    suggested_action:
      'Set store.migration_dsn, or CATALOG_POSTGRES_MIGRATION_DSN, to the owner of the schema.',
  });
}

/** Returns a fingerprint of the source that changes with every write. */
async function readSeries(source: ArchiveSource): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const page of source.read('tenants')) rows.push(...page);
  for await (const page of source.read('layer_numbers')) rows.push(...page);
  return rows;
}

async function countRows(
  source: ArchiveSource,
  hooks: OperationHooks,
): Promise<Record<ArchiveTable, number>> {
  const counts = noRows();
  for (const table of ARCHIVE_TABLES) {
    for await (const page of source.read(table)) {
      hooks.signal.throwIfAborted();
      counts[table] += page.length;
      hooks.report({ step: table, done: counts[table] });
    }
  }
  return counts;
}
