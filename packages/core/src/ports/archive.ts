import {
  isBackedUp,
  listPlainTables,
  type BackedUpRow,
  type BackedUpTable,
} from './plain-tables.ts';
import type { KeptReceiver } from './receivers.ts';
import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';
import type { TenantRecord } from './tenants.ts';
import type { Edge, RejectionRecord, VersionRecord, VersionStanding } from './versions.ts';

/** Marks a version as the head of its id in its layer, with its edges. */
export interface ArchivedHead {
  edges: readonly Omit<Edge, 'from'>[];
}

/** Ingest order and rollback flag of a version, as backups store them. */
export type ArchivedStanding = Pick<VersionStanding, 'ingest_order' | 'rolled_back'>;

interface ConvertedRows {
  tenant_records: Omit<TenantRecord, 'extends_parents'> &
    Partial<Pick<TenantRecord, 'extends_parents'>>;
  /** A restore disables receivers, so that a copy sends nothing until an administrator enables them. */
  receivers: Omit<KeptReceiver, 'ordered'> & { tenant: Tenant } & Partial<
      Pick<KeptReceiver, 'ordered'>
    >;
}

type PlainArchiveRows = {
  [Name in BackedUpTable]: Name extends keyof ConvertedRows
    ? ConvertedRows[Name]
    : BackedUpRow<Name>;
};

/** A restore rebuilds everything that is derived from these rows. */
interface CustomArchiveRows {
  blobs: { tenant: Tenant; content_hash: string; bytes: Uint8Array };
  /** `source_commit` and `standing` are absent in backups of releases up to 0.4. */
  versions: Omit<VersionRecord, 'source_commit'> &
    Partial<Pick<VersionRecord, 'source_commit'>> & {
      tenant: Tenant;
      head: ArchivedHead | null;
      standing?: ArchivedStanding | null;
    };
  rejections: RejectionRecord & { tenant: Tenant; layer: LayerNumber };
  domains: { tenant: Tenant; layer: LayerNumber; path: string; text: string };
}

/** Excludes rows that a restore can rebuild: counters, search and the map of domains. */
export interface ArchiveRows extends PlainArchiveRows, CustomArchiveRows {}

/** Name of a table in a backup. */
export type ArchiveTable = keyof ArchiveRows;

const CUSTOM_AFTER: { [Name in BackedUpTable]?: readonly (keyof CustomArchiveRows)[] } = {
  layers: ['blobs'],
  ledger: ['versions', 'rejections', 'domains'],
};

/** Plain tables that backups contain, in the order of their declaration. */
export const BACKED_UP_TABLES: readonly BackedUpTable[] = listPlainTables().filter(isBackedUp);

/** All tables of a backup, each after the tables that its rows refer to. */
export const ARCHIVE_TABLES: readonly ArchiveTable[] = BACKED_UP_TABLES.flatMap((table) => [
  table,
  ...(CUSTOM_AFTER[table] ?? []),
]);

/** Creates a record with one value per table of a backup. */
export function forEachTable<Value>(
  make: (table: ArchiveTable) => Value,
): Record<ArchiveTable, Value>;
export function forEachTable<Value>(make: (table: ArchiveTable) => Value): Record<string, Value> {
  return Object.fromEntries(ARCHIVE_TABLES.map((table) => [table, make(table)]));
}

/** Source of all rows: a store at one time, or a backup. */
export interface ArchiveSource {
  /** Reads batches by key, the tenant first; the order is always the same. */
  read<Table extends ArchiveTable>(table: Table): AsyncIterable<readonly ArchiveRows[Table][]>;
}

/** Destination for the rows of a backup or another copy of a store. */
export interface ArchiveSink {
  /** Appends rows in the order in which they were read. */
  write<Table extends ArchiveTable>(
    table: Table,
    rows: readonly ArchiveRows[Table][],
  ): Promise<void>;
  /** Finishes durably, so that the backup can be distinguished from a partial one. */
  finish(): Promise<void>;
}

/** Progress of an unfinished restore, with the completed rows per table. */
export interface PendingRestore {
  /** Name of the backup, so that no other one is restored over it. */
  source: string;
  done: Readonly<Partial<Record<ArchiveTable, number>>>;
}

/** Reads that a restore or a backup needs before it starts. */
export interface ArchiveReads {
  /**
   * Returns true if no tenant has ever registered a layer, there are no admins or directory users,
   * and no tenant except the one that startup creates.
   */
  isEmpty(): Promise<boolean>;
  getPendingRestore(): Promise<PendingRestore | undefined>;
}

/** Writes that a restore uses to fill an empty store. */
export interface ArchiveWrites extends ArchiveReads {
  /** Keeps the original numbers. The table must be empty; replaces the tenant's record. */
  put<Table extends BackedUpTable>(
    tenant: Tenant,
    table: Table,
    rows: readonly ArchiveRows[Table][],
  ): Promise<void>;
  /** Stores the progress of a restore, or undefined after it has finished. */
  setPendingRestore(pending: PendingRestore | undefined): Promise<void>;
}
