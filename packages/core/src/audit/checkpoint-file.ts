import type { Tenant } from '../ports/tenant.ts';
import type { TreeHash } from './merkle-tree.ts';

/** Signed checkpoint of a tree, with the leaves since the checkpoint before it. */
export interface SignedTree {
  tenant: Tenant;
  origin: string;
  /** Position of the first leaf of the tree. */
  first: number;
  /** Size of the tree before `leaves`. */
  from: number;
  leaves: readonly TreeHash[];
  /** Signed checkpoint of the tree after `leaves`. */
  note: string;
}

/** Checkpoints that one process signed at one time. */
export interface CheckpointFile {
  created_at: string;
  trees: readonly SignedTree[];
}

const FORMAT = 'catalog-audit-checkpoints';
const VERSION = 1;
const HASH_BYTES = 32;

interface EncodedFile {
  format: typeof FORMAT;
  version: typeof VERSION;
  created_at: string;
  /** The leaves are concatenated. */
  trees: (Omit<SignedTree, 'leaves'> & { leaves: string })[];
}

export function encodeCheckpoints({ created_at, trees }: CheckpointFile): Uint8Array {
  const encoded: EncodedFile = {
    format: FORMAT,
    version: VERSION,
    created_at,
    trees: trees.map((tree) => ({ ...tree, leaves: joinHashes(tree.leaves) })),
  };
  return new TextEncoder().encode(`${JSON.stringify(encoded)}\n`);
}

/** Returns undefined for a file that catalog did not write. Signatures are not checked. */
export function decodeCheckpoints(bytes: Uint8Array): CheckpointFile | undefined {
  try {
    const read: EncodedFile = JSON.parse(new TextDecoder().decode(bytes));
    if (read.format !== FORMAT || read.version !== VERSION) return undefined;
    const trees = read.trees.map((tree) => ({ ...tree, leaves: splitHashes(tree.leaves) }));
    return { created_at: read.created_at, trees };
  } catch {
    return undefined;
  }
}

function joinHashes(hashes: readonly TreeHash[]): string {
  return Buffer.concat(hashes.map((hash) => Buffer.from(hash, 'base64'))).toString('base64');
}

function splitHashes(text: string): TreeHash[] {
  const bytes = Buffer.from(text, 'base64');
  const hashes: TreeHash[] = [];
  for (let at = 0; at < bytes.length; at += HASH_BYTES) {
    hashes.push(bytes.toString('base64', at, at + HASH_BYTES));
  }
  return hashes;
}
