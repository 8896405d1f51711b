import { encodeCheckpoints, type SignedTree } from '@catalog/core/audit/checkpoint-file';
import { treeRoot } from '@catalog/core/audit/merkle-tree';
import { originName } from '@catalog/core/audit/origin-name';
import { signCheckpoint, type SigningKey } from '@catalog/core/audit/signed-note';
import type { AuditRecord, StoredCheckpoint } from '@catalog/core/ports/audit';
import { checkpointsName, checkpointsNumber } from '@catalog/core/ports/audit-objects';
import type { Objects } from '@catalog/core/ports/objects';
import type { Store } from '@catalog/core/ports/store';
import { ONLY_TENANT, type Tenant } from '@catalog/core/ports/tenant';
import { openAuditFindings } from './audit-findings.ts';
import { readTrustedTrees } from './trusted-trees.ts';

export interface TreeOpening {
  store: Store;
  objects: Pick<Objects, 'audit'>;
  key: SigningKey | undefined;
  /** Why the log of the tenants continues in a new tree. */
  cause: 'restore' | 'reopen';
  reason: string | undefined;
  trace_id: string;
}

export interface OpenedTree {
  tenant: Tenant;
  position: number;
  lost: { from: number; to: number } | undefined;
}

/**
 * Starts a new tree for every tenant with records. Its first record commits to the earlier ones and
 * names the signed records that the log no longer has. The signed checkpoint of that record lets the
 * registry sign the new tree.
 */
export async function openAuditTrees(
  opening: TreeOpening,
  signal: AbortSignal,
): Promise<OpenedTree[]> {
  const { store, objects, key } = opening;
  const ignored = openAuditFindings();
  const { trees } = await readTrustedTrees(objects.audit, [], ignored, signal);
  const opened: OpenedTree[] = [];
  const signed: SignedTree[] = [];
  for (const tenant of await listTenants(store)) {
    signal.throwIfAborted();
    const [newest] = await store.audit.listNewest(tenant, undefined, 1);
    const last = trees.get(tenant)?.at(-1);
    const end = last === undefined ? 0 : last.first + last.leaves.length - 1;
    if (newest === undefined && end === 0) continue;
    const from = (newest?.position ?? 0) + 1;
    const lost = end >= from ? { from, to: end } : undefined;
    const record = openingRecord(opening, lost);
    const tree = await store.transaction(({ audit }) => audit.startTree(tenant, record));
    opened.push({ tenant, position: tree.first, lost });
    if (key === undefined) continue;
    const name = originName(tenant, tree.origin);
    const note = signCheckpoint({ origin: name, size: tree.size, root: treeRoot(tree) }, key);
    const { origin, first, nodes } = tree;
    signed.push({ tenant, origin, first, from: 0, leaves: nodes, note });
  }
  if (signed.length > 0) await storeSigned(opening, signed, signal);
  return opened;
}

/** Includes the default tenant, which may not have a record yet. */
async function listTenants({ tenants }: Store): Promise<Iterable<Tenant>> {
  const records = await tenants.list();
  return new Set([ONLY_TENANT, ...records.map(({ tenant }) => tenant)]);
}

function openingRecord(
  { store, cause, reason, trace_id }: TreeOpening,
  lost: OpenedTree['lost'],
): AuditRecord {
  return {
    type: 'audit.opened',
    timestamp: store.now().toISOString(),
    trace_id,
    'caller.public_mode': false,
    'caller.kind': 'system',
    'caller.identity': 'system:operator',
    cause,
    ...(reason === undefined ? {} : { reason }),
    ...(lost === undefined ? {} : { 'lost.from': lost.from, 'lost.to': lost.to }),
  };
}

async function storeSigned(
  { store, objects }: TreeOpening,
  trees: readonly SignedTree[],
  signal: AbortSignal,
): Promise<void> {
  const bytes = encodeCheckpoints({ created_at: store.now().toISOString(), trees });
  let number = (await findLastNumber(objects, signal)) + 1;
  // A running registry may sign at the same time.
  while (!(await objects.audit.create(checkpointsName(number), bytes, signal))) number += 1;
  const checkpoints = trees.map(({ tenant, origin, first, leaves, note }) => {
    const checkpoint: StoredCheckpoint = {
      origin,
      first,
      size: leaves.length,
      nodes: leaves,
      position: first + leaves.length - 1,
      number,
      note,
    };
    return { tenant, ...checkpoint };
  });
  await store.transaction(({ audit }) => audit.putCheckpoints(checkpoints));
}

const NAMES_AT_ONCE = 1000;

async function findLastNumber(
  { audit }: Pick<Objects, 'audit'>,
  signal: AbortSignal,
): Promise<number> {
  let last = checkpointsName(0);
  for (;;) {
    const names = await audit.list({ after: last, limit: NAMES_AT_ONCE }, signal);
    last = names.at(-1) ?? last;
    if (names.length < NAMES_AT_ONCE) return checkpointsNumber(last) ?? 0;
  }
}
