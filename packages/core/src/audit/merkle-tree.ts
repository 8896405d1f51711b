import { hash } from 'node:crypto';

/** SHA-256 hash of a leaf or of an inner node, in base64. */
export type TreeHash = string;

/**
 * Frontier of an append-only Merkle tree (RFC 6962): the roots of its complete subtrees, largest
 * first. It is enough to append leaves and to compute the root.
 */
export interface Frontier {
  size: number;
  nodes: readonly TreeHash[];
}

export const EMPTY_TREE: Frontier = { size: 0, nodes: [] };

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

/** Returns the leaf hash of a record, from its exact JSON. */
export function leafHash(text: string): TreeHash {
  return hash('sha256', Buffer.concat([LEAF, Buffer.from(text)]), 'base64');
}

function nodeHash(left: Buffer, right: Buffer): Buffer {
  return hash('sha256', Buffer.concat([NODE, left, right]), 'buffer');
}

/** Appends leaves and returns the new frontier. */
export function appendLeaves({ size, nodes }: Frontier, leaves: readonly TreeHash[]): Frontier {
  const complete = nodes.map(toBytes);
  let count = size;
  for (const leaf of leaves) {
    let node = toBytes(leaf);
    for (let bits = count; bits % 2 === 1; bits = Math.floor(bits / 2)) {
      const left = complete.pop();
      if (left === undefined) throw new Error(`The frontier of ${size} leaves is incomplete.`);
      node = nodeHash(left, node);
    }
    complete.push(node);
    count += 1;
  }
  return { size: count, nodes: complete.map(toText) };
}

/** Returns the root hash of a tree. */
export function treeRoot({ nodes }: Frontier): TreeHash {
  const last = nodes.at(-1);
  if (last === undefined) return hash('sha256', '', 'base64');
  return toText(
    nodes.slice(0, -1).reduceRight((right, left) => nodeHash(toBytes(left), right), toBytes(last)),
  );
}

/** Returns the sibling hashes from a leaf to the root, which prove that the tree contains it. */
export function proveInclusion(leaves: readonly TreeHash[], index: number): TreeHash[] {
  const path: TreeHash[] = [];
  let level = leaves.map(toBytes);
  for (let at = index; level.length > 1; at = Math.floor(at / 2)) {
    const sibling = level[at % 2 === 0 ? at + 1 : at - 1];
    if (sibling !== undefined) path.push(toText(sibling));
    level = nextLevel(level);
  }
  return path;
}

/** Combines pairs. A node without a sibling moves up unchanged. */
function nextLevel(level: readonly Buffer[]): Buffer[] {
  const next: Buffer[] = [];
  for (let at = 0; at < level.length; at += 2) {
    const left = level[at];
    const right = level[at + 1];
    if (left !== undefined) next.push(right === undefined ? left : nodeHash(left, right));
  }
  return next;
}

/** Position and size of a leaf in a tree, with the hashes that prove its inclusion. */
export interface InclusionProof {
  index: number;
  size: number;
  leaf: TreeHash;
  path: readonly TreeHash[];
}

/** Returns the root that follows from a proof, or undefined if the proof has a wrong length. */
export function rootOfProof({ index, size, leaf, path }: InclusionProof): TreeHash | undefined {
  if (index < 0 || index >= size) return undefined;
  let node = toBytes(leaf);
  let used = 0;
  for (let at = index, last = size - 1; last > 0; at = Math.floor(at / 2)) {
    const isAlone = at === last && at % 2 === 0;
    if (!isAlone) {
      const sibling = path[used];
      if (sibling === undefined) return undefined;
      used += 1;
      const other = toBytes(sibling);
      node = at % 2 === 0 ? nodeHash(node, other) : nodeHash(other, node);
    }
    last = Math.floor(last / 2);
  }
  return used === path.length ? toText(node) : undefined;
}

function toBytes(text: TreeHash): Buffer {
  return Buffer.from(text, 'base64');
}

function toText(bytes: Buffer): TreeHash {
  return bytes.toString('base64');
}
