import type { KeyObject } from 'node:crypto';
import type { SignedTree } from '@catalog/core/audit/checkpoint-file';
import { originName } from '@catalog/core/audit/origin-name';
import {
  appendLeaves,
  EMPTY_TREE,
  treeRoot,
  type Frontier,
  type TreeHash,
} from '@catalog/core/audit/merkle-tree';
import { openCheckpoint, readCheckpoint } from '@catalog/core/audit/signed-note';
import type { AuditObjects } from '@catalog/core/ports/audit-objects';
import { NO_TENANT, type Tenant } from '@catalog/core/ports/tenant';
import { readSignedTrees } from '../registry/audit/read-signed-trees.ts';
import type { AuditFindings } from './audit-findings.ts';

/** Tree that the signed checkpoints describe, with all its leaves. */
export interface TrustedTree {
  origin: string;
  first: number;
  leaves: TreeHash[];
}

interface GrowingTree extends TrustedTree {
  frontier: Frontier;
  /** Signed checkpoints with the size of the tree at each. */
  notes: { size: number; note: string }[];
}

/** Trees of each tenant, in the order in which they were first signed. */
export type TrustedTrees = ReadonlyMap<Tenant, readonly TrustedTree[]>;

export interface TrustedRead {
  trees: TrustedTrees;
  checkpoints: number;
}

/** Reads all checkpoints and reports those that contradict each other or are not signed by one of the keys. Without
 * keys, signatures are not checked. */
export async function readTrustedTrees(
  objects: Pick<AuditObjects, 'read' | 'list'>,
  keys: readonly KeyObject[],
  findings: AuditFindings,
  signal: AbortSignal,
): Promise<TrustedRead> {
  const trees = new Map<Tenant, GrowingTree[]>();
  let checkpoints = 0;
  let expected: number | undefined;
  for await (const file of readSignedTrees(objects, 0, signal)) {
    signal.throwIfAborted();
    if (expected !== undefined && file.number !== expected) {
      addObject(findings, expected, 'checkpoint_missing', 'It is missing.');
    }
    expected = file.number + 1;
    if (file.trees === undefined) {
      addObject(findings, file.number, 'checkpoint_damaged', 'It cannot be read.');
      continue;
    }
    for (const tree of file.trees) {
      checkpoints += 1;
      addTree(trees, tree, findings);
    }
  }
  for (const [tenant, own] of trees) {
    for (const tree of own) dropUnsigned(tenant, tree, keys, findings);
  }
  return { trees, checkpoints };
}

function addTree(
  trees: Map<Tenant, GrowingTree[]>,
  { tenant, origin, first, from, leaves, note }: SignedTree,
  findings: AuditFindings,
): void {
  const own = trees.get(tenant) ?? [];
  trees.set(tenant, own);
  let tree = own.find((known) => known.origin === origin);
  if (tree === undefined) {
    tree = { origin, first, leaves: [], frontier: EMPTY_TREE, notes: [] };
    own.push(tree);
  }
  if (from > tree.leaves.length) {
    const position = first + tree.leaves.length;
    const message = `No checkpoint has the records ${position} to ${first + from - 1}.`;
    findings.add({ tenant, position, kind: 'checkpoint_missing', message });
    return;
  }
  const known = tree.leaves.length - from;
  const differs = leaves.findIndex((leaf, at) => at < known && leaf !== tree.leaves[from + at]);
  if (differs !== -1) {
    const position = first + from + differs;
    const message = 'Two checkpoints have different records here: the log was forked.';
    findings.add({ tenant, position, kind: 'forked', message });
    return;
  }
  const added = leaves.slice(known);
  tree.frontier = appendLeaves(tree.frontier, added);
  for (const leaf of added) tree.leaves.push(leaf);
  // A repeated checkpoint covers less than is known; the larger one covers its leaves.
  if (added.length > 0 || known === leaves.length) {
    const size = tree.frontier.size;
    const signed = readCheckpoint(note);
    const isMatch =
      signed?.origin === originName(tenant, origin) &&
      signed.size === size &&
      signed.root === treeRoot(tree.frontier);
    if (isMatch) tree.notes.push({ size, note });
    else if (signed?.size !== from + leaves.length || added.length > 0) {
      const message = 'A checkpoint does not match its records.';
      findings.add({ tenant, position: first + from, kind: 'checkpoint_damaged', message });
    }
  }
}

/** The last valid signature covers all leaves before it. Leaves after it are not trusted. */
function dropUnsigned(
  tenant: Tenant,
  tree: GrowingTree,
  keys: readonly KeyObject[],
  findings: AuditFindings,
): void {
  const valid = tree.notes.findLast(
    ({ note }) => keys.length === 0 || keys.some((key) => openCheckpoint(note, key) !== undefined),
  );
  const size = valid?.size ?? 0;
  if (size === tree.leaves.length) return;
  const position = tree.first + size;
  const message = 'The checkpoints from here on are not signed with a known key.';
  findings.add({ tenant, position, kind: 'signature_invalid', message });
  tree.leaves.length = size;
}

function addObject(
  findings: AuditFindings,
  number: number,
  kind: 'checkpoint_missing' | 'checkpoint_damaged',
  what: string,
): void {
  const message = `Object ${number} of the audit checkpoints: ${what}`;
  findings.add({ tenant: NO_TENANT, position: 0, kind, message });
}
