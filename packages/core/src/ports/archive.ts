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

/** That a version is the head of its id in its layer, and which artifacts it names since it is. */
export interface ArchivedHead {
  edges: readonly Omit<Edge, 'from'>[];
}

/** What rollbacks changed about a version. */
export type ArchivedStanding = Pick<VersionStanding, 'ingest_order' | 'rolled_back'>;

/** Rows that the store converts, because backups have them in another form. */
interface ConvertedRows {
  tenant_records: Omit<TenantRecord, 'extends_parents'> &
    Partial<Pick<TenantRecord, 'extends_parents'>>;
  /** A restore disables them: a copy sends nothing until an administrator enables its receivers. */
  receivers: Omit<KeptReceiver, 'ordered'> & { tenant: Tenant } & Partial<
      Pick<KeptReceiver, 'ordered'>
    >;
}

type PlainArchiveRows = {
  [Name in BackedUpTable]: Name extends keyof ConvertedRows
    ? ConvertedRows[Name]
    : BackedUpRow<Name>;
};

/** Rows of the tables that are not plain: a restore puts them back with everything that follows from them. */
interface CustomArchiveRows {
  blobs: { tenant: Tenant; content_hash: string; bytes: Uint8Array };
  /** `source_commit` and `standing` are absent in copies of releases up to 0.4. */
  versions: Omit<VersionRecord, 'source_commit'> &
    Partial<Pick<VersionRecord, 'source_commit'>> & {
      tenant: Tenant;
      head: ArchivedHead | null;
      /** Null if no rollback changed it. */
      standing?: ArchivedStanding | null;
    };
  rejections: RejectionRecord & { tenant: Tenant; layer: LayerNumber };
  domains: { tenant: Tenant; layer: LayerNumber; path: string; text: string };
}

/**
 * The facts of a store by table: all that cannot be derived from something else. A copy of a store holds
 * these; counters, search and the map of domains are built again from them.
 */
export interface ArchiveRows extends PlainArchiveRows, CustomArchiveRows {}

export type ArchiveTable = keyof ArchiveRows;

/** The plain table before each group of other tables. */
const CUSTOM_AFTER: { [Name in BackedUpTable]?: readonly (keyof CustomArchiveRows)[] } = {
  layers: ['blobs'],
  ledger: ['versions', 'rejections', 'domains'],
};

/** The plain tables of a backup, in its order. */
export const BACKED_UP_TABLES: readonly BackedUpTable[] = listPlainTables().filter(isBackedUp);

/** Every table of a backup, each after those that its rows refer to. */
export const ARCHIVE_TABLES: readonly ArchiveTable[] = BACKED_UP_TABLES.flatMap((table) => [
  table,
  ...(CUSTOM_AFTER[table] ?? []),
]);

/** Makes a value for each table of a backup. */
export function forEachTable<Value>(
  make: (table: ArchiveTable) => Value,
): Record<ArchiveTable, Value>;
export function forEachTable<Value>(make: (table: ArchiveTable) => Value): Record<string, Value> {
  return Object.fromEntries(ARCHIVE_TABLES.map((table) => [table, make(table)]));
}

/** Something whose facts can be read from the first to the last: a store at one moment, or a copy. */
export interface ArchiveSource {
  /** Rows in the order of their keys, the tenant first, some at a time; the same order every time. */
  read<Table extends ArchiveTable>(table: Table): AsyncIterable<readonly ArchiveRows[Table][]>;
}

/** A copy of a store that is being written, outside of any store. */
export interface ArchiveSink {
  /** Appends rows in the order in which they were read. */
  write<Table extends ArchiveTable>(
    table: Table,
    rows: readonly ArchiveRows[Table][],
  ): Promise<void>;
  /** Makes it whole: durable, with what tells a whole copy from a part of one. */
  finish(): Promise<void>;
}

/** A copy into a store that has not come to its end. */
export interface PendingRestore {
  /** What is being copied, so that nothing else is copied over it. */
  source: string;
  /** Rows of each table that are in. */
  done: Readonly<Partial<Record<ArchiveTable, number>>>;
}

export interface ArchiveReads {
  /**
   * Whether no layer was ever registered, by any tenant, nobody is an admin, no directory ever
   * pushed a user, and there is no tenant but the one that the start of a registry makes.
   */
  isEmpty(): Promise<boolean>;
  getPendingRestore(): Promise<PendingRestore | undefined>;
}

export interface ArchiveWrites extends ArchiveReads {
  /** Puts rows of a tenant into an empty table, with the numbers they have; its record is replaced. */
  put<Table extends BackedUpTable>(
    tenant: Tenant,
    table: Table,
    rows: readonly ArchiveRows[Table][],
  ): Promise<void>;
  /** Remembers how far a copy is, or, with undefined, that it has ended. */
  setPendingRestore(pending: PendingRestore | undefined): Promise<void>;
}
