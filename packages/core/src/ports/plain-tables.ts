import type { EventBody } from '@catalog/contract/events';
import type { FreezeBlock } from '@catalog/contract/records/freeze';
import type { PopularArtifact, UsageCount } from './artifact-usage.ts';
import type { AuditRecord } from './audit.ts';
import type { DirectoryResource, Membership, SubjectName } from './directory.ts';
import type { Dispatch } from './dispatches.ts';
import type { ApprovalRecord } from './freezes.ts';
import type { AdminGrant } from './grants.ts';
import type { StoreIdentity } from './identity.ts';
import type { IssuerKeys } from './issuers.ts';
import type { JobRecord } from './jobs.ts';
import type { StoredKeySet } from './key-sets.ts';
import type { LayerNumber } from './layer-number.ts';
import type { LayerRecord } from './layers.ts';
import type { PurgeRecord } from './purges.ts';
import type { NumberedRead, ReadLogState, ReadWriter } from './read-log.ts';
import type { Receiver } from './receivers.ts';
import type { StoredSignature } from './signatures.ts';
import type { Tenant } from './tenant.ts';
import type { TenantQuota, TenantRecord } from './tenants.ts';
import type { LedgerRow } from './versions.ts';

/** Kind of a column, because the databases represent flags, JSON, lists and times differently. */
export type ColumnKind = 'integer' | 'text' | 'time' | 'flag' | 'json' | 'texts';

/** Database engine of a store. */
export type Engine = 'sqlite' | 'postgres';

/** Owner of rows: the store, a tenant, or a layer. */
export type TableScope<Column extends string = string> =
  | { of: 'store' }
  | { of: 'tenant' }
  | {
      of: 'layer';
      column: Column;
      holds: 'number' | 'id';
      purge: 'delete' | 'keep';
    };

/** Backup rules of a table: its columns and rows, and the oldest format that has them. */
export interface TableBackup<Column extends string = string> {
  /** First backup format with the table; a new table gets the next one. */
  since: number;
  /** Columns that backups omit, with the place of the same value in a row. */
  derived?: { readonly [Name in Column]?: readonly string[] };
  /** Columns that older backups lack, with the value for a restore. */
  added?: { readonly [Name in Column]?: string | number | boolean | null };
  /** Column and values that select the rows of a backup. */
  only?: { column: Column; values: readonly string[] };
  order?: readonly string[];
  /** True if a restore replaces existing rows, which startup may have stored. */
  replaces?: true;
}

/** Declaration of a table: its columns, key, owner, and backup rules. */
export interface TableDeclaration<Column extends string = string> {
  /** Name in the database, if it differs. */
  stored_as?: string | Readonly<Record<Engine, string>>;
  /** Columns of a row in code, also the order in backups. */
  columns: Readonly<Record<Column, ColumnKind>>;
  internal?: Readonly<Record<string, ColumnKind>>;
  postgres_columns?: Readonly<Record<string, ColumnKind>>;
  key: readonly Column[];
  scope: TableScope<Column>;
  /** Backup rules; false for rows that expire within days or describe only this store. */
  backup: TableBackup<Column> | false;
  /** Columns that can contain the identity of a user, also inside JSON. */
  person: readonly Column[];
}

type OfTenant<Row> = Row & { tenant: Tenant };

/** Row types of all plain tables, by table name. */
export interface PlainRows {
  tenants: {
    tenant: Tenant;
    revision: number;
    ingest_order: number;
    event_sequence: number;
    audit_position: number;
  };
  tenant_records: Omit<TenantRecord, 'quota'> & TenantQuota;
  admin_grants: OfTenant<AdminGrant>;
  directory_resources: OfTenant<DirectoryResource>;
  directory_members: OfTenant<Membership>;
  directory_given_up: OfTenant<SubjectName>;
  freeze_windows: {
    tenant: Tenant;
    name: string;
    start_at: string | null;
    end_at: string | null;
    starts: string | null;
    ends: string | null;
    time_zone: string | null;
    blocks: FreezeBlock[];
  };
  break_glass_approvals: OfTenant<ApprovalRecord>;
  layer_numbers: {
    tenant: Tenant;
    id: string;
    number: LayerNumber;
    revision: number;
    holder: string | null;
  };
  layers: OfTenant<Omit<LayerRecord, 'revision'>>;
  ledger: OfTenant<LedgerRow & { layer_id: string }>;
  purges: OfTenant<PurgeRecord>;
  version_signatures: OfTenant<StoredSignature>;
  key_sets: OfTenant<StoredKeySet>;
  jobs: OfTenant<JobRecord & { fence: number }>;
  outbox: { tenant: Tenant; sequence: number; timestamp: string; body: EventBody };
  receivers: OfTenant<Omit<Receiver, 'id'> & { receiver: string }>;
  audit: { tenant: Tenant; position: number; record: AuditRecord };
  audit_reads: OfTenant<NumberedRead>;
  read_logs: OfTenant<ReadLogState>;
  read_writers: ReadWriter;
  artifact_usage: OfTenant<UsageCount>;
  popular_artifacts: OfTenant<PopularArtifact>;
  session_choices: {
    tenant: Tenant;
    subject: string;
    session_id: string;
    id: string;
    layer: LayerNumber;
    version: string;
    expires_at: string;
  };
  deliveries: {
    tenant: Tenant;
    layer: LayerNumber;
    delivery_id: string;
    job: string;
    received_at: string;
  };
  dispatches: OfTenant<Omit<Dispatch, 'id'> & { dispatch: string }>;
  issuer_keys: IssuerKeys;
  store_identity: Omit<StoreIdentity, 'origin'> & { only_one: boolean };
  restores: { only_one: boolean; source: string; done: object };
}

/** Name of a plain table in code, which can differ from its name in the database. */
export type PlainTable = keyof PlainRows;

type Declarations = {
  readonly [Name in PlainTable]: TableDeclaration<keyof PlainRows[Name] & string>;
};

const STORE = { of: 'store' } as const;
const TENANT = { of: 'tenant' } as const;

const DECLARED = {
  tenants: {
    columns: {
      tenant: 'integer',
      revision: 'integer',
      ingest_order: 'integer',
      event_sequence: 'integer',
      audit_position: 'integer',
    },
    postgres_columns: { heads: 'integer' },
    key: ['tenant'],
    scope: TENANT,
    backup: { since: 1, replaces: true },
    person: [],
  },
  tenant_records: {
    columns: {
      tenant: 'integer',
      id: 'text',
      name: 'text',
      active: 'flag',
      storage_bytes: 'integer',
      search_qps: 'integer',
      materialize_rate: 'integer',
      audit_volume_per_day: 'integer',
      max_user_layers: 'integer',
      expose_scope_preview: 'flag',
      extends_parents: 'text',
      created_at: 'time',
    },
    key: ['tenant'],
    scope: TENANT,
    backup: { since: 2, added: { extends_parents: null }, replaces: true },
    person: [],
  },
  admin_grants: {
    columns: { tenant: 'integer', user_id: 'text', granted_at: 'time', granted_by: 'text' },
    key: ['tenant', 'user_id'],
    scope: TENANT,
    backup: { since: 2 },
    person: ['user_id', 'granted_by'],
  },
  directory_resources: {
    columns: {
      tenant: 'integer',
      kind: 'text',
      id: 'text',
      name: 'text',
      name_key: 'text',
      external_id: 'text',
      active: 'flag',
      attributes: 'json',
      created_at: 'time',
      modified_at: 'time',
      version: 'integer',
    },
    key: ['tenant', 'kind', 'id'],
    scope: TENANT,
    backup: { since: 2 },
    person: ['id', 'name', 'name_key', 'external_id', 'attributes'],
  },
  directory_members: {
    columns: { tenant: 'integer', group_id: 'text', user_id: 'text' },
    key: ['tenant', 'group_id', 'user_id'],
    scope: TENANT,
    backup: { since: 2 },
    person: ['user_id'],
  },
  directory_given_up: {
    columns: { tenant: 'integer', kind: 'text', name: 'text' },
    key: ['tenant', 'kind', 'name'],
    scope: TENANT,
    backup: { since: 2 },
    person: ['name'],
  },
  freeze_windows: {
    columns: {
      tenant: 'integer',
      name: 'text',
      start_at: 'time',
      end_at: 'time',
      starts: 'text',
      ends: 'text',
      time_zone: 'text',
      blocks: 'json',
    },
    key: ['tenant', 'name'],
    scope: TENANT,
    backup: { since: 4 },
    person: [],
  },
  // Approvals expire after an hour, so backups omit them.
  break_glass_approvals: {
    columns: {
      tenant: 'integer',
      layer_id: 'text',
      reference: 'text',
      window_name: 'text',
      approver: 'text',
      approved_at: 'time',
      expires_at: 'time',
      used_by: 'text',
    },
    key: ['tenant', 'layer_id', 'reference', 'window_name', 'approver'],
    scope: TENANT,
    backup: false,
    person: ['approver'],
  },
  // Numbers of all layers, including purged ones, because numbers are never reused.
  layer_numbers: {
    columns: {
      tenant: 'integer',
      id: 'text',
      number: 'integer',
      revision: 'integer',
      holder: 'text',
    },
    internal: { copy_bytes: 'integer' },
    postgres_columns: { heads: 'integer' },
    key: ['tenant', 'id'],
    scope: { of: 'layer', column: 'number', holds: 'number', purge: 'keep' },
    backup: { since: 1, added: { holder: null }, order: ['tenant', 'number'] },
    person: ['holder'],
  },
  layers: {
    columns: {
      tenant: 'integer',
      number: 'integer',
      id: 'text',
      order: 'integer',
      user_defined: 'flag',
      public: 'flag',
      organization: 'flag',
      groups: 'texts',
      users: 'texts',
      source_type: 'text',
      repo: 'text',
      ref: 'text',
      root: 'text',
      local_path: 'text',
      owner: 'text',
      git_provider: 'text',
      force_push_policy: 'text',
      created_at: 'time',
      deleted_at: 'time',
      last_ingested_at: 'time',
      last_ingested_ref: 'text',
      webhook_secret: 'text',
      webhook_key: 'text',
      source_state: 'text',
      frozen_since: 'time',
    },
    key: ['tenant', 'number'],
    scope: { of: 'layer', column: 'number', holds: 'number', purge: 'delete' },
    backup: { since: 1, added: { frozen_since: null } },
    person: ['users', 'owner'],
  },
  // Kept forever, so that a version of a purged layer never returns with other content (SPEC-7).
  ledger: {
    stored_as: 'version_ledger',
    columns: {
      tenant: 'integer',
      layer_id: 'text',
      id: 'text',
      version: 'text',
      authored_hash: 'text',
    },
    key: ['tenant', 'layer_id', 'id', 'version'],
    scope: { of: 'layer', column: 'layer_id', holds: 'id', purge: 'keep' },
    backup: { since: 1 },
    person: [],
  },
  // Kept forever, so that purged content never returns.
  purges: {
    columns: {
      tenant: 'integer',
      layer_id: 'text',
      id: 'text',
      version: 'text',
      content_hash: 'text',
      reason: 'text',
      purged_by: 'text',
      purged_at: 'time',
      pending_objects: 'json',
    },
    key: ['tenant', 'layer_id', 'id', 'version'],
    scope: { of: 'layer', column: 'layer_id', holds: 'id', purge: 'keep' },
    backup: { since: 4 },
    person: ['reason', 'purged_by'],
  },
  version_signatures: {
    columns: {
      tenant: 'integer',
      layer: 'integer',
      id: 'text',
      version: 'text',
      content_hash: 'text',
      key_id: 'text',
      payload: 'text',
      signature: 'text',
      signed_at: 'time',
    },
    key: ['tenant', 'layer', 'id', 'version'],
    scope: { of: 'layer', column: 'layer', holds: 'number', purge: 'delete' },
    backup: { since: 4 },
    person: [],
  },
  key_sets: {
    columns: { tenant: 'integer', version: 'integer', document: 'text', signatures: 'json' },
    key: ['tenant', 'version'],
    scope: TENANT,
    backup: { since: 4, replaces: true },
    person: [],
  },
  // Jobs. A restored registry queues unfinished ones again.
  jobs: {
    columns: {
      tenant: 'integer',
      job: 'text',
      layer_id: 'text',
      state: 'text',
      request: 'json',
      progress: 'json',
      attempts: 'integer',
      fence: 'integer',
      created_at: 'time',
      started_at: 'time',
      finished_at: 'time',
      report: 'json',
      error: 'json',
    },
    internal: { position: 'integer', worker: 'text', lease_until: 'time', personal: 'flag' },
    postgres_columns: { priority: 'integer' },
    key: ['tenant', 'job'],
    scope: { of: 'layer', column: 'layer_id', holds: 'id', purge: 'delete' },
    backup: {
      since: 1,
      derived: { fence: ['attempts'] },
      only: { column: 'state', values: ['done', 'failed'] },
      order: ['tenant', 'position'],
    },
    person: [],
  },
  outbox: {
    columns: { tenant: 'integer', sequence: 'integer', timestamp: 'time', body: 'json' },
    key: ['tenant', 'sequence'],
    scope: TENANT,
    backup: { since: 1, derived: { timestamp: ['body', 'timestamp'] } },
    person: ['body'],
  },
  receivers: {
    columns: {
      tenant: 'integer',
      receiver: 'text',
      url: 'text',
      secret: 'text',
      previous_secret: 'text',
      previous_secret_until: 'time',
      event_filter: 'json',
      debounce_ms: 'integer',
      ordered: 'flag',
      disabled_by: 'text',
      created_at: 'time',
      cursor: 'integer',
      window_end: 'time',
      paused_until: 'time',
      failure_count: 'integer',
      failing_since: 'time',
      last_delivery: 'time',
      last_failure: 'time',
    },
    key: ['tenant', 'receiver'],
    scope: TENANT,
    backup: { since: 3, added: { ordered: false } },
    person: [],
  },
  audit: {
    columns: { tenant: 'integer', position: 'integer', record: 'json' },
    key: ['tenant', 'position'],
    scope: TENANT,
    backup: { since: 1 },
    person: ['record'],
  },
  audit_reads: {
    columns: {
      tenant: 'integer',
      position: 'integer',
      type: 'text',
      minute: 'time',
      subject: 'text',
      caller_kind: 'text',
      salt: 'text',
      commitment: 'text',
      artifact: 'text',
      version: 'text',
      layer: 'text',
      name: 'text',
      tags: 'json',
      detail: 'text',
    },
    key: ['tenant', 'position'],
    scope: TENANT,
    backup: { since: 4 },
    person: ['subject'],
  },
  read_logs: {
    columns: { tenant: 'integer', position: 'integer', sealed: 'integer', sealed_at: 'time' },
    key: ['tenant'],
    scope: TENANT,
    backup: { since: 4 },
    person: [],
  },
  // Processes of this copy.
  read_writers: {
    columns: { process: 'text', last_batch_at: 'time' },
    key: ['process'],
    scope: STORE,
    backup: false,
    person: [],
  },
  artifact_usage: {
    columns: {
      tenant: 'integer',
      layer: 'integer',
      id: 'text',
      version: 'text',
      day: 'text',
      loads: 'integer',
      syncs: 'integer',
    },
    key: ['tenant', 'layer', 'id', 'version', 'day'],
    scope: { of: 'layer', column: 'layer', holds: 'number', purge: 'delete' },
    backup: { since: 4 },
    person: [],
  },
  // Derived from `artifact_usage`; the next retention sweep rebuilds it.
  popular_artifacts: {
    columns: { tenant: 'integer', layer: 'integer', id: 'text', uses: 'integer' },
    key: ['tenant', 'layer', 'id'],
    scope: { of: 'layer', column: 'layer', holds: 'number', purge: 'delete' },
    backup: false,
    person: [],
  },
  session_choices: {
    stored_as: { sqlite: 'sessions', postgres: 'session_choices' },
    columns: {
      tenant: 'integer',
      subject: 'text',
      session_id: 'text',
      id: 'text',
      layer: 'integer',
      version: 'text',
      expires_at: 'time',
    },
    internal: { anonymous_number: 'integer' },
    key: ['tenant', 'subject', 'session_id', 'id'],
    scope: { of: 'layer', column: 'layer', holds: 'number', purge: 'keep' },
    backup: false,
    person: ['subject'],
  },
  deliveries: {
    columns: {
      tenant: 'integer',
      layer: 'integer',
      delivery_id: 'text',
      job: 'text',
      received_at: 'time',
    },
    key: ['tenant', 'layer', 'delivery_id'],
    scope: { of: 'layer', column: 'layer', holds: 'number', purge: 'delete' },
    backup: false,
    person: [],
  },
  dispatches: {
    columns: {
      tenant: 'integer',
      receiver: 'text',
      dispatch: 'text',
      event: 'text',
      cursor: 'integer',
      body: 'text',
      created_at: 'time',
      not_before: 'time',
      worker: 'text',
      state: 'text',
      attempts: 'integer',
      fence: 'integer',
      last_attempt: 'time',
      status: 'integer',
      duration_ms: 'integer',
      response: 'text',
      error: 'text',
    },
    key: ['tenant', 'receiver', 'dispatch'],
    scope: TENANT,
    backup: false,
    person: ['body'],
  },
  issuer_keys: {
    columns: { issuer: 'text', issuers: 'json', keys: 'json', fetched_at: 'time' },
    key: ['issuer'],
    scope: STORE,
    backup: false,
    person: [],
  },
  // Identity of the store; a copy gets another one (ADR-0068).
  store_identity: {
    columns: { only_one: 'flag', identity: 'text', object_store_identity: 'text' },
    postgres_columns: { origin: 'text' },
    key: ['only_one'],
    scope: STORE,
    backup: false,
    person: [],
  },
  restores: {
    columns: { only_one: 'flag', source: 'text', done: 'json' },
    key: ['only_one'],
    scope: STORE,
    backup: false,
    person: [],
  },
} as const satisfies Declarations;

/** All plain tables (ADR-0077); backup, restore and purge are derived from this list. */
export const PLAIN_TABLES: Declarations = DECLARED;

/** Name of a plain table that backups contain. */
export type BackedUpTable = {
  [Name in PlainTable]: (typeof DECLARED)[Name] extends { backup: object } ? Name : never;
}[PlainTable];

type DerivedColumn<Name extends PlainTable> = (typeof DECLARED)[Name] extends {
  backup: { derived: infer Derived };
}
  ? keyof Derived
  : never;

type AddedColumn<Name extends PlainTable> = (typeof DECLARED)[Name] extends {
  backup: { added: infer Added };
}
  ? keyof Added & keyof PlainRows[Name]
  : never;

/** Row of a table in a backup. Derived columns are omitted; columns that older backups lack are optional. */
export type BackedUpRow<Name extends BackedUpTable> = Omit<
  PlainRows[Name],
  DerivedColumn<Name> | AddedColumn<Name>
> &
  Partial<Pick<PlainRows[Name], AddedColumn<Name>>>;

/** Lists the tables, each after those that its rows refer to. */
export function listPlainTables(): PlainTable[];
export function listPlainTables(): string[] {
  return Object.keys(PLAIN_TABLES);
}

/** Returns true if backups contain the table. */
export function isBackedUp(name: PlainTable): name is BackedUpTable {
  return PLAIN_TABLES[name].backup !== false;
}

/** Returns the backup rules of a table. */
export function backupOf(name: BackedUpTable): TableBackup {
  return DECLARED[name].backup;
}

/** Returns the name of a table in the database of the given engine. */
export function storedName(name: PlainTable, engine: Engine): string {
  const { stored_as = name } = PLAIN_TABLES[name];
  return typeof stored_as === 'string' ? stored_as : stored_as[engine];
}
