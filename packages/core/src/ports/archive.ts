import type { EventBody } from '@catalog/contract/events';
import type { AuditRecord } from './audit.ts';
import type { DirectoryResource, Membership, SubjectName } from './directory.ts';
import type { AdminGrant } from './grants.ts';
import type { JobRecord } from './jobs.ts';
import type { NewLayer } from './layers.ts';
import type { KeptReceiver } from './receivers.ts';
import type { Tenant } from './tenant.ts';
import type { TenantRecord } from './tenants.ts';
import type {
  Edge,
  LedgerRow,
  RejectionRecord,
  VersionRecord,
  VersionStanding,
} from './versions.ts';

/** That a version is the head of its id in its layer, and which artifacts it names since it is. */
export interface ArchivedHead {
  edges: readonly Omit<Edge, 'from'>[];
}

/** What rollbacks changed about a version. */
export type ArchivedStanding = Pick<VersionStanding, 'ingest_order' | 'rolled_back'>;

/**
 * The facts of a store by table: all that cannot be worked out from something else. A copy of a store
 * holds these; counters, search and the map of domains are made anew from them. Sessions, deliveries,
 * dispatches and what is left of a rate, which end by themselves within days, are left out.
 */
export interface ArchiveRows {
  /** The last number of each series. */
  tenants: {
    tenant: Tenant;
    revision: number;
    ingest_order: number;
    event_sequence: number;
    audit_position: number;
  };
  /** `extends_parents` is absent in copies of releases up to 0.4. */
  tenant_records: Omit<TenantRecord, 'extends_parents'> &
    Partial<Pick<TenantRecord, 'extends_parents'>>;
  admin_grants: AdminGrant & { tenant: Tenant };
  directory_resources: DirectoryResource & { tenant: Tenant };
  directory_members: Membership & { tenant: Tenant };
  directory_given_up: SubjectName & { tenant: Tenant };
  /** Also of layers that are gone: a number is never given twice. */
  layer_numbers: {
    tenant: Tenant;
    id: string;
    number: number;
    revision: number;
    /** Class and owner of a purged layer; absent in copies of releases up to 0.4. */
    holder?: string | null;
  };
  layers: NewLayer & { tenant: Tenant; number: number };
  blobs: { tenant: Tenant; content_hash: string; bytes: Uint8Array };
  ledger: LedgerRow & { tenant: Tenant; layer_id: string };
  /** `source_commit` and `standing` are absent in copies of releases up to 0.4. */
  versions: Omit<VersionRecord, 'source_commit'> &
    Partial<Pick<VersionRecord, 'source_commit'>> & {
      tenant: Tenant;
      head: ArchivedHead | null;
      /** Null if no rollback changed it. */
      standing?: ArchivedStanding | null;
    };
  rejections: RejectionRecord & { tenant: Tenant; layer: number };
  domains: { tenant: Tenant; layer: number; path: string; text: string };
  /** Ended ones, oldest first. What waited or ran is asked for again when a registry starts. */
  jobs: JobRecord & { tenant: Tenant };
  outbox: { tenant: Tenant; sequence: number; body: EventBody };
  /** Disabled when they are put back: nothing is sent by a copy before somebody wants that. */
  receivers: Omit<KeptReceiver, 'ordered'> & {
    tenant: Tenant;
    /** Absent in archives of earlier releases. */
    ordered?: boolean;
  };
  audit: { tenant: Tenant; position: number; record: AuditRecord };
}

export type ArchiveTable = keyof ArchiveRows;

/** Every table, each after those its rows stand on. */
export const ARCHIVE_TABLES = [
  'tenants',
  'tenant_records',
  'admin_grants',
  'directory_resources',
  'directory_members',
  'directory_given_up',
  'layer_numbers',
  'layers',
  'blobs',
  'ledger',
  'versions',
  'rejections',
  'domains',
  'jobs',
  'outbox',
  'receivers',
  'audit',
] as const satisfies readonly ArchiveTable[];

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

/** Tables whose rows are put back as they were; the others have writes of their own. */
export type PlainTable = Extract<
  ArchiveTable,
  | 'tenants'
  | 'tenant_records'
  | 'admin_grants'
  | 'directory_resources'
  | 'directory_members'
  | 'directory_given_up'
  | 'layer_numbers'
  | 'layers'
  | 'ledger'
  | 'jobs'
  | 'outbox'
  | 'receivers'
  | 'audit'
>;

export interface ArchiveWrites extends ArchiveReads {
  /** Puts rows of a tenant into an empty table, with the numbers they have; its record is replaced. */
  put<Table extends PlainTable>(
    tenant: Tenant,
    table: Table,
    rows: readonly ArchiveRows[Table][],
  ): Promise<void>;
  /** Remembers how far a copy is, or, with undefined, that it has ended. */
  setPendingRestore(pending: PendingRestore | undefined): Promise<void>;
}
