import { appendLeaves, EMPTY_TREE, treeRoot, type Frontier } from '@catalog/core/audit/merkle-tree';
import { revealRecord, sealRecord, type SealedRecord } from '@catalog/core/audit/seal-record';
import type {
  AuditReads,
  AuditRecord,
  AuditTree,
  AuditWrites,
  StoredCheckpoint,
  StoredRecord,
} from '@catalog/core/ports/audit';
import type { ArchiveRows } from '@catalog/core/ports/archive';
import type { PlainRows } from '@catalog/core/ports/plain-tables';
import type { Tenant } from '@catalog/core/ports/tenant';
import { newSalt } from '../../id.ts';
import type { Dialect } from './dialect.ts';
import { NO_TENANT, type Queries, type Run, type Transaction } from './queries.ts';
import { columnNames, plainTable, readJson, readRow } from './table.ts';
import type { Sql } from './sql.ts';

type AuditRow = Pick<PlainRows['audit'], 'position' | 'record' | 'leaf_hash'>;

const AUDIT = plainTable('audit');
const VALUES = plainTable('audit_values');
const LIST: Sql<AuditRow> = `SELECT position, record, leaf_hash FROM audit
  WHERE tenant = $1 AND position > $2 ORDER BY position LIMIT $3`;
const LIST_NEWEST: Sql<AuditRow> = `SELECT position, record, leaf_hash FROM audit
  WHERE tenant = $1 AND position < $2 ORDER BY position DESC LIMIT $3`;
const LIST_VALUES: Sql<PlainRows['audit_values']> = `SELECT ${columnNames(VALUES)} FROM audit_values
  WHERE tenant = $1 AND position >= $2 AND position <= $3 ORDER BY position, person, place`;

/** `audit_tree` is null while earlier releases append records, and empty before the first record. */
interface LogEnd {
  audit_position: number;
  audit_tree: string | null;
}

const GET_END: Sql<LogEnd> = 'SELECT audit_position, audit_tree FROM tenants WHERE tenant = $1';
const SET_END = `INSERT INTO tenants (tenant, audit_position, audit_tree) VALUES ($1, $2, $3)
  ON CONFLICT (tenant) DO UPDATE
  SET audit_position = excluded.audit_position, audit_tree = excluded.audit_tree`;

const CHECKPOINTS = plainTable('audit_checkpoints');
const GET_CHECKPOINT: Sql<PlainRows['audit_checkpoints']> =
  `SELECT ${columnNames(CHECKPOINTS)} FROM audit_checkpoints WHERE tenant = $1`;

export function auditReads(run: Run, dialect: Dialect): AuditReads {
  async function read(
    statement: Sql<AuditRow>,
    tenant: Tenant,
    from: number,
    limit: number,
  ): Promise<StoredRecord[]> {
    return run(tenant, async (queries) =>
      withValues(queries, tenant, await queries.rows(statement, tenant, from, limit)),
    );
  }
  return {
    list: async (tenant, after, limit) => (await read(LIST, tenant, after, limit)).map(reveal),
    listNewest: async (tenant, before = Number.MAX_SAFE_INTEGER, limit) =>
      (await read(LIST_NEWEST, tenant, before, limit)).map(reveal),
    listStored: (tenant, after, limit) => read(LIST, tenant, after, limit),
    getTree: (tenant) =>
      run(tenant, async (queries) => readTree(await queries.row(GET_END, tenant))),
    getCheckpoint: (tenant) =>
      run(tenant, async (queries) => {
        const row = await queries.row(GET_CHECKPOINT, tenant);
        return row && toCheckpoint(readRow(CHECKPOINTS, row));
      }),
    getLastCheckpointNumber: () =>
      run(NO_TENANT, async (queries) => {
        const row = await queries.row(dialect.LAST_CHECKPOINT_NUMBER);
        return row?.number ?? 0;
      }),
    listChanges: (after, limit, max_leaves) =>
      run(NO_TENANT, async (queries) => {
        const rows = await queries.rows(dialect.AUDIT_CHANGES, after, limit, max_leaves);
        return rows.map(({ tenant, audit_position, audit_tree, checkpoint, leaves }) => ({
          tenant,
          tree: JSON.parse(audit_tree),
          position: audit_position,
          checkpoint: checkpoint === null ? undefined : toCheckpoint(readJson(checkpoint)),
          leaves: leaves === null ? [] : leaves.split(' '),
        }));
      }),
  };
}

function toCheckpoint(row: PlainRows['audit_checkpoints']): StoredCheckpoint {
  const { origin, first, size, nodes, position, number, note } = row;
  return { origin, first, size, nodes, position, number, note };
}

async function withValues(
  queries: Queries,
  tenant: Tenant,
  rows: readonly AuditRow[],
): Promise<StoredRecord[]> {
  const positions = rows
    .filter(({ leaf_hash }) => leaf_hash !== null)
    .map(({ position }) => position);
  const found =
    positions.length === 0
      ? []
      : await queries.rows(LIST_VALUES, tenant, Math.min(...positions), Math.max(...positions));
  const values = Map.groupBy(
    found.map((row) => readRow(VALUES, row)),
    ({ position }) => position,
  );
  return rows.map(({ position, record, leaf_hash }) => ({
    position,
    record: readJson(record),
    leaf_hash,
    values: values.get(position) ?? [],
  }));
}

function reveal({ position, record, values }: StoredRecord): {
  position: number;
  record: AuditRecord;
} {
  return { position, record: revealRecord(record, values) };
}

function readTree(end: LogEnd | undefined): AuditTree | undefined {
  return end?.audit_tree ? JSON.parse(end.audit_tree) : undefined;
}

export function auditWrites({ run, beside }: Transaction, dialect: Dialect): AuditWrites {
  return {
    ...auditReads(run, dialect),
    async append(tenant, records) {
      if (records.length === 0) return;
      await run(tenant, (queries) => appendRecords(queries, tenant, records));
    },
    startTree: (tenant, record) => run(tenant, (queries) => startTree(queries, tenant, record)),
    putCheckpoints: (checkpoints) =>
      beside(NO_TENANT, async (queries) => {
        await queries.run(dialect.PUT_AUDIT_CHECKPOINTS, JSON.stringify(checkpoints));
      }),
    redact: (tenant, users, pseudonym, limit) =>
      run(tenant, (queries) => dialect.redactAuditValues(queries, tenant, users, pseudonym, limit)),
  };
}

async function appendRecords(
  queries: Queries,
  tenant: Tenant,
  records: readonly AuditRecord[],
): Promise<void> {
  const end = await getEnd(queries, tenant);
  if (end.audit_tree !== null) {
    await appendSealed(queries, tenant, end, readTree(end), records);
    return;
  }
  const rows = records.map((record, at) => ({
    tenant,
    position: end.audit_position + 1 + at,
    record,
    leaf_hash: null,
  }));
  await queries.insert(AUDIT, rows);
  await queries.run(SET_END, tenant, end.audit_position + records.length, null);
}

async function getEnd(queries: Queries, tenant: Tenant): Promise<LogEnd> {
  return (await queries.row(GET_END, tenant)) ?? { audit_position: 0, audit_tree: '' };
}

async function appendSealed(
  queries: Queries,
  tenant: Tenant,
  { audit_position }: LogEnd,
  before: AuditTree | undefined,
  records: readonly AuditRecord[],
): Promise<AuditTree> {
  const sealed = records.map((record) => sealRecord(record, newSalt));
  const first = audit_position + 1;
  const leaves = sealed.map(({ leaf_hash }) => leaf_hash);
  const started = before ?? { origin: newOrigin(), first, ...EMPTY_TREE };
  const tree = { ...started, ...appendLeaves(started, leaves) };
  const rows = sealed.map(({ record, leaf_hash }, at) => ({
    tenant,
    position: first + at,
    record,
    leaf_hash,
  }));
  await queries.insert(AUDIT, rows);
  await insertValues(queries, tenant, first, sealed);
  await queries.run(SET_END, tenant, audit_position + records.length, JSON.stringify(tree));
  return tree;
}

function newOrigin(): string {
  return Buffer.from(newSalt()).toString('hex');
}

async function insertValues(
  queries: Queries,
  tenant: Tenant,
  first: number,
  sealed: readonly Pick<SealedRecord, 'values'>[],
): Promise<void> {
  const rows = sealed.flatMap(({ values }, at) =>
    values.map((value) => ({ tenant, position: first + at, ...value })),
  );
  if (rows.length > 0) await queries.insert(VALUES, rows);
}

const LEAVES_AT_ONCE = 10_000;
const LIST_LEAVES: Sql<{ position: number; leaf_hash: string | null }> =
  `SELECT position, leaf_hash FROM audit WHERE tenant = $1 AND position > $2
  ORDER BY position LIMIT $3`;

/** All earlier records must be sealed. */
export async function startTree(
  queries: Queries,
  tenant: Tenant,
  record: AuditRecord,
): Promise<AuditTree> {
  let earlier: Frontier = EMPTY_TREE;
  for (let after = 0; ;) {
    const rows = await queries.rows(LIST_LEAVES, tenant, after, LEAVES_AT_ONCE);
    earlier = appendLeaves(
      earlier,
      rows.map(({ position, leaf_hash }) => {
        if (leaf_hash !== null) return leaf_hash;
        throw new Error(`Record ${position} of tenant ${tenant} is not sealed.`);
      }),
    );
    const last = rows.at(-1);
    if (last === undefined || rows.length < LEAVES_AT_ONCE) break;
    after = last.position;
  }
  const opening = { ...record, records: earlier.size, root: treeRoot(earlier) };
  return appendSealed(queries, tenant, await getEnd(queries, tenant), undefined, [opening]);
}

const LIST_RAW: Sql<{ position: number; record: AuditRecord }> = `SELECT position, record FROM audit
  WHERE tenant = $1 AND position > $2 AND leaf_hash IS NULL ORDER BY position LIMIT $3`;

/**
 * Seals records of earlier releases after a position. Returns the last position it sealed, or
 * undefined if there are no more.
 */
export async function sealEarlierRecords(
  queries: Queries,
  { sealAuditRecords }: Pick<Dialect, 'sealAuditRecords'>,
  tenant: Tenant,
  after: number,
  limit: number,
): Promise<number | undefined> {
  const raw = await queries.rows(LIST_RAW, tenant, after, limit);
  const sealed = raw.map(({ position, record }) => ({
    position,
    ...sealRecord(readJson(record), newSalt),
  }));
  if (sealed.length === 0) return undefined;
  await sealAuditRecords(queries, tenant, sealed);
  for (const one of sealed) await insertValues(queries, tenant, one.position, [one]);
  return sealed.at(-1)?.position;
}

/** Stores records of a backup, and seals those of earlier releases. */
export async function putRestoredAudit(
  queries: Queries,
  rows: readonly ArchiveRows['audit'][],
): Promise<void> {
  const sealed = rows.map(({ tenant, position, record, leaf_hash = null }) =>
    leaf_hash === null
      ? { tenant, position, ...sealRecord(revealRecord(record, []), newSalt) }
      : { tenant, position, record, leaf_hash, values: [] },
  );
  await queries.insert(
    AUDIT,
    sealed.map(({ tenant, position, record, leaf_hash }) => ({
      tenant,
      position,
      record,
      leaf_hash,
    })),
  );
  for (const one of sealed) await insertValues(queries, one.tenant, one.position, [one]);
}
