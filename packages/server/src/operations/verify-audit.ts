import type { KeyObject } from 'node:crypto';
import {
  appendLeaves,
  EMPTY_TREE,
  leafHash,
  treeRoot,
  type Frontier,
  type TreeHash,
} from '@catalog/core/audit/merkle-tree';
import {
  listUnmatched,
  type ErasedValues,
  type PersonValues,
} from '@catalog/core/audit/seal-record';
import type { ArchiveRows } from '@catalog/core/ports/archive';
import type { AuditObjects } from '@catalog/core/ports/audit-objects';
import type { StoreSnapshot } from '@catalog/core/ports/store-snapshot';
import type { Tenant } from '@catalog/core/ports/tenant';
import { openAuditFindings, type AuditFinding, type AuditFindings } from './audit-findings.ts';
import type { OperationHooks } from './operation-hooks.ts';
import { readTrustedTrees, type TrustedTree } from './trusted-trees.ts';

export interface AuditVerification {
  snapshot: Pick<StoreSnapshot, 'read' | 'reads'>;
  objects: { audit: Pick<AuditObjects, 'read' | 'list'> };
  /** Public keys of the registry, and of those that it was restored from. */
  keys: readonly KeyObject[];
}

/** New tree of a tenant after a restore or a reopening, as its key holder declared it. */
export interface Reopening {
  tenant: Tenant;
  position: number;
  cause: string;
  reason: string | undefined;
  /** Signed records that the log no longer has. */
  lost: { from: number; to: number } | undefined;
}

export interface AuditReport {
  records: number;
  /** Records that a valid checkpoint covers. */
  covered: number;
  checkpoints: number;
  reopenings: readonly Reopening[];
  findings: readonly AuditFinding[];
  finding_count: number;
}

interface Walk {
  findings: AuditFindings;
  report: { records: number; covered: number; reopenings: Reopening[] };
  /** All rows of `audit_values`, in the order of the records. */
  values: ValueReader;
}

type Row = ArchiveRows['audit'];
type ValueRow = ArchiveRows['audit_values'];

/**
 * Compares every record with the signed checkpoints. An attacker can change the database and all
 * hashes in it, but not the checkpoints in the object store.
 */
export async function verifyAudit(
  { snapshot, objects, keys }: AuditVerification,
  hooks: OperationHooks,
): Promise<AuditReport> {
  const findings = openAuditFindings();
  const { trees, checkpoints } = await readTrustedTrees(
    objects.audit,
    keys,
    findings,
    hooks.signal,
  );
  const report: Walk['report'] = { records: 0, covered: 0, reopenings: [] };
  const walk: Walk = { findings, report, values: openValues(snapshot.read('audit_values')) };
  const seen = new Set<Tenant>();
  let log: TenantLog | undefined;
  async function endLog(): Promise<void> {
    if (log !== undefined) await checkEnd(walk, snapshot, log);
  }
  for await (const page of snapshot.read('audit')) {
    hooks.signal.throwIfAborted();
    for (const [tenant, rows] of Map.groupBy(page, (row) => row.tenant)) {
      if (log?.tenant !== tenant) {
        await endLog();
        log = openLog(tenant, trees.get(tenant) ?? []);
        seen.add(tenant);
      }
      await checkRecords(walk, log, rows);
    }
    report.records += page.length;
    hooks.report({ step: 'audit_records', done: report.records });
  }
  await endLog();
  for (const [tenant, own] of trees) {
    if (!seen.has(tenant)) await checkEnd(walk, snapshot, openLog(tenant, own));
  }
  return {
    ...report,
    checkpoints,
    findings: findings.list(),
    finding_count: findings.count(),
  };
}

interface TenantLog {
  tenant: Tenant;
  trees: readonly TrustedTree[];
  /** Position of the last record. */
  last: number;
  /** Tree over all records. */
  all: Frontier;
  /** Tree since the last record that opened one. */
  current: Frontier;
}

function openLog(tenant: Tenant, trees: readonly TrustedTree[]): TenantLog {
  return { tenant, trees, last: 0, all: EMPTY_TREE, current: EMPTY_TREE };
}

/** Returns the signed hash of a record. A later tree replaces the records after its start. */
function trustedLeaf(trees: readonly TrustedTree[], position: number): TreeHash | undefined {
  const tree = trees.findLast(({ first }) => first <= position);
  return tree?.leaves[position - tree.first];
}

async function checkRecords(walk: Walk, log: TenantLog, rows: readonly Row[]): Promise<void> {
  const { findings, report } = walk;
  const { tenant, trees } = log;
  let leaves: TreeHash[] = [];
  const grow = (): void => {
    log.all = appendLeaves(log.all, leaves);
    log.current = appendLeaves(log.current, leaves);
    leaves = [];
  };
  for (const { position, record, leaf_hash } of rows) {
    if (position !== log.last + 1) addMissing(findings, log, position - 1);
    log.last = position;
    const leaf = leafHash(JSON.stringify(record));
    const trusted = trustedLeaf(trees, position);
    if (trusted !== undefined) report.covered += 1;
    if (trusted !== undefined && trusted !== leaf) {
      const message = 'It differs from the record that was signed.';
      findings.add({ tenant, position, kind: 'record_changed', message });
    } else if (leaf_hash !== leaf) {
      const message = 'Its stored hash is not the hash of the record.';
      findings.add({ tenant, position, kind: 'hash_changed', message });
    }
    const values = await walk.values.read(tenant, position);
    for (const person of listUnmatched(record, values)) {
      const message = `The personal values of "${person}" do not match its commitment.`;
      findings.add({ tenant, position, kind: 'values_changed', message });
    }
    if (record.type === 'audit.opened') {
      grow();
      checkOpening(walk, log, position, record);
      log.current = EMPTY_TREE;
    }
    leaves.push(leaf);
  }
  grow();
}

function addMissing(findings: AuditFindings, log: TenantLog, to: number): void {
  const { tenant } = log;
  const position = log.last + 1;
  const message = to > position ? `The records up to ${to} are missing.` : 'It is missing.';
  findings.add({ tenant, position, kind: 'record_missing', message });
}

function checkOpening(
  { findings, report }: Walk,
  { tenant, trees, all }: TenantLog,
  position: number,
  record: Row['record'],
): void {
  const cause = String(record['cause']);
  if (record['records'] !== all.size || record['root'] !== treeRoot(all)) {
    const message = `The ${String(record['records'])} records before it differ from those that it commits to.`;
    findings.add({ tenant, position, kind: 'history_changed', message });
  }
  const index = trees.findIndex(({ first }) => first === position);
  const before = trees[index - 1];
  const end = before === undefined ? 0 : before.first + before.leaves.length - 1;
  const reason = record['reason'];
  report.reopenings.push({
    tenant,
    position,
    cause,
    reason: typeof reason === 'string' ? reason : undefined,
    lost: end >= position ? { from: position, to: end } : undefined,
  });
}

async function checkEnd(
  { findings }: Walk,
  snapshot: AuditVerification['snapshot'],
  log: TenantLog,
): Promise<void> {
  const { tenant, trees, current } = log;
  const signed = trees.at(-1);
  const end = signed === undefined ? 0 : signed.first + signed.leaves.length - 1;
  if (end > log.last) addMissing(findings, log, end);
  const tree = await snapshot.reads.audit.getTree(tenant);
  const position = 0;
  if (signed !== undefined && tree?.origin !== signed.origin) {
    const message = 'The log has another tree than the signed one.';
    findings.add({ tenant, position, kind: 'tree_replaced', message });
  } else if (tree !== undefined && treeRoot(tree) !== treeRoot(current)) {
    const message = 'The stored tree does not match the records.';
    findings.add({ tenant, position, kind: 'tree_differs', message });
  }
}

interface ValueReader {
  read(tenant: Tenant, position: number): Promise<(PersonValues | ErasedValues)[]>;
}

/** Reads values next to the records, so that memory does not grow with the log. */
function openValues(pages: AsyncIterable<readonly ValueRow[]>): ValueReader {
  const iterator = pages[Symbol.asyncIterator]();
  let page: readonly ValueRow[] = [];
  let at = 0;
  let ended = false;
  async function peek(): Promise<ValueRow | undefined> {
    while (at === page.length && !ended) {
      const next = await iterator.next();
      ended = next.done === true;
      page = next.done === true ? [] : next.value;
      at = 0;
    }
    return page[at];
  }
  return {
    async read(tenant, position) {
      const own: (PersonValues | ErasedValues)[] = [];
      for (;;) {
        const row = page[at] ?? (await peek());
        if (row === undefined) return own;
        if (row.tenant > tenant || (row.tenant === tenant && row.position > position)) return own;
        if (row.tenant === tenant && row.position === position) own.push(toValues(row));
        at += 1;
      }
    },
  };
}

function toValues({ person, place, subject, salt, fields }: ValueRow): PersonValues | ErasedValues {
  return salt === null || fields === null
    ? { person, place, subject, salt: null, fields: null }
    : { person, place, subject, salt, fields };
}
