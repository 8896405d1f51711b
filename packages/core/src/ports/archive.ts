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

/** Marks a version as the head of its id in a layer, with its references. */
export interface ArchivedHead {
  edges: readonly Omit<Edge, 'from'>[];
}

/** Ingest order and rollback state of a version in a backup. */
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

/** Rows from which a restore rebuilds everything derived. */
interface CustomArchiveRows {
  blobs: { tenant: Tenant; content_hash: string; bytes: Uint8Array };
  /** Backups of releases up to 0.4 lack `source_commit` and `standing`. */
  versions: Omit<VersionRecord, 'source_commit'> &
    Partial<Pick<VersionRecord, 'source_commit'>> & {
      tenant: Tenant;
      head: ArchivedHead | null;
      standing?: ArchivedStanding | null;
    };
  rejections: RejectionRecord & { tenant: Tenant; layer: LayerNumber };
  domains: { tenant: Tenant; layer: LayerNumber; path: string; text: string };
}

/** All rows of a backup. Counters, search and domains are not included, because a restore rebuilds them. */
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

/** Creates a record with a value per table of a backup. */
export function forEachTable<Value>(
  make: (table: ArchiveTable) => Value,
): Record<ArchiveTable, Value>;
export function forEachTable<Value>(make: (table: ArchiveTable) => Value): Record<string, Value> {
  return Object.fromEntries(ARCHIVE_TABLES.map((table) => [table, make(table)]));
}

/** Source of all rows: a store at one time, or a backup. */
export interface ArchiveSource {
  /** Reads batches in a fixed order, by tenant and key. */
  read<Table extends ArchiveTable>(table: Table): AsyncIterable<readonly ArchiveRows[Table][]>;
}

/** Target of a backup or of a copy of a store. */
export interface ArchiveSink {
  /** Appends rows in the order of reading. */
  write<Table extends ArchiveTable>(
    table: Table,
    rows: readonly ArchiveRows[Table][],
  ): Promise<void>;
  /** Completes the copy durably. Without this call, it counts as partial. */
  finish(): Promise<void>;
}

/** Progress of an unfinished restore, with the completed rows per table. */
export interface PendingRestore {
  /** Name of the backup; no other one can be restored over it. */
  source: string;
  done: Readonly<Partial<Record<ArchiveTable, number>>>;
}

/** Reads that a restore or a backup needs before it starts. */
export interface ArchiveReads {
  /**
   * Returns true for a new store: no layer was ever registered, and there are no administrators, directory users, or
   * tenants besides the one of startup.
   */
  isEmpty(): Promise<boolean>;
  getPendingRestore(): Promise<PendingRestore | undefined>;
}

/** Writes that a restore uses to fill an empty store. */
export interface ArchiveWrites extends ArchiveReads {
  /** Stores rows with their original numbers into an empty table. The record of the tenant is replaced. */
  put<Table extends BackedUpTable>(
    tenant: Tenant,
    table: Table,
    rows: readonly ArchiveRows[Table][],
  ): Promise<void>;
  /** Stores the progress of a restore; undefined when it has ended. */
  setPendingRestore(pending: PendingRestore | undefined): Promise<void>;
}
