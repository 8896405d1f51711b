import { encodeCheckpoints, type SignedTree } from '@catalog/core/audit/checkpoint-file';
import { originName } from '@catalog/core/audit/origin-name';
import { appendLeaves, EMPTY_TREE, treeRoot } from '@catalog/core/audit/merkle-tree';
import { openCheckpoint, signCheckpoint, type SigningKey } from '@catalog/core/audit/signed-note';
import type { StoredCheckpoint, TreeChange } from '@catalog/core/ports/audit';
import { checkpointsName } from '@catalog/core/ports/audit-objects';
import type { Objects } from '@catalog/core/ports/objects';
import type { Store } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import { readSignedTrees } from './read-signed-trees.ts';

/** Reason why a tree is not signed: it contradicts what was signed before. */
export type SigningProblem =
  | 'behind'
  | 'records_missing'
  | 'checkpoint_invalid'
  | 'tree_differs'
  | 'tree_replaced';

export interface SignerOptions {
  store: Pick<Store, 'audit' | 'transaction' | 'now'>;
  objects: Pick<Objects, 'audit'>;
  key: SigningKey;
}

export interface SigningRound {
  signed: number;
  problems: ReadonlyMap<Tenant, SigningProblem>;
}

export interface CheckpointSigner {
  /** Signs every tree that changed. One object contains all checkpoints of a round. */
  sign(signal: AbortSignal): Promise<SigningRound>;
}

const TENANTS_AT_ONCE = 1000;
/** Limits a round after a long outage; the next rounds sign the rest. */
const MAX_LEAVES = 10_000;

type Signed = StoredCheckpoint & { tenant: Tenant };

/**
 * Only one process signs at a time. It remembers what it signed, so that a change of the database
 * does not make it sign a second tree of the same tenant.
 */
export function createCheckpointSigner({ store, objects, key }: SignerOptions): CheckpointSigner {
  const known = new Map<Tenant, Signed>();
  /** Number of the last object that this process has read or created. */
  let last: number | undefined;
  let isCurrent = false;

  /** Reads new objects; after a start, those after the last one that the database knows. */
  async function catchUp(signal: AbortSignal): Promise<number> {
    let number = last ?? (await store.audit.getLastCheckpointNumber());
    if (isCurrent) return number;
    for await (const file of readSignedTrees(objects.audit, number, signal)) {
      number = file.number;
      for (const tree of file.trees ?? []) await remember(tree, number);
    }
    last = number;
    isCurrent = true;
    return number;
  }

  async function remember(tree: SignedTree, number: number): Promise<void> {
    const { tenant, origin, first, from, leaves, note } = tree;
    const before = known.get(tenant) ?? (await loadTrusted(tenant));
    const start = before?.origin === origin && before.size === from ? before : undefined;
    if (openCheckpoint(note, key.public_key) === undefined) return;
    if (start === undefined && from > 0) return;
    const grown = appendLeaves(start ?? EMPTY_TREE, leaves);
    const position = first + grown.size - 1;
    known.set(tenant, { tenant, origin, first, ...grown, position, number, note });
  }

  async function decide(
    change: TreeChange,
    signal: AbortSignal,
  ): Promise<Signed | 'new' | SigningProblem> {
    const { tenant, tree, position, checkpoint } = change;
    const before = known.get(tenant) ?? (checkpoint && trusted({ tenant, ...checkpoint }));
    if (before === 'checkpoint_invalid') return before;
    if (before === undefined) {
      if (tree.first > 1 && (await wasSigned(tenant, signal))) return 'tree_replaced';
      return 'new';
    }
    if (before.origin !== tree.origin) return 'tree_replaced';
    return position < before.position ? 'behind' : before;
  }

  async function loadTrusted(tenant: Tenant): Promise<Signed | undefined> {
    const checkpoint = await store.audit.getCheckpoint(tenant);
    const found = checkpoint && trusted({ tenant, ...checkpoint });
    return found === 'checkpoint_invalid' ? undefined : found;
  }

  function trusted(checkpoint: Signed): Signed | 'checkpoint_invalid' {
    const { origin, tenant, size, note } = checkpoint;
    const signed = openCheckpoint(note, key.public_key);
    const isValid =
      signed?.origin === originName(tenant, origin) &&
      signed.size === size &&
      signed.root === treeRoot(checkpoint);
    if (!isValid) return 'checkpoint_invalid';
    known.set(tenant, checkpoint);
    return checkpoint;
  }

  /** Reads all objects. Only a tree after an upgrade, a restore or a reopening needs this. */
  async function wasSigned(tenant: Tenant, signal: AbortSignal): Promise<boolean> {
    for await (const { trees } of readSignedTrees(objects.audit, 0, signal)) {
      if (trees?.some((tree) => tree.tenant === tenant)) return true;
    }
    return false;
  }

  async function* listChanges(): AsyncGenerator<TreeChange> {
    let after = -1;
    for (;;) {
      const page = await store.audit.listChanges(after, TENANTS_AT_ONCE, MAX_LEAVES);
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < TENANTS_AT_ONCE) return;
      after = last.tenant;
    }
  }

  return {
    async sign(signal) {
      const number = (await catchUp(signal)) + 1;
      const problems = new Map<Tenant, SigningProblem>();
      const trees: SignedTree[] = [];
      const checkpoints: Signed[] = [];
      for await (const change of listChanges()) {
        signal.throwIfAborted();
        const { tenant } = change;
        const before = await decide(change, signal);
        if (typeof before === 'string' && before !== 'new') {
          problems.set(tenant, before);
          continue;
        }
        const start = before === 'new' ? undefined : before;
        if (start?.position !== change.checkpoint?.position) {
          // The database lost the checkpoint. Its leaves are complete in the next round.
          if (start !== undefined) checkpoints.push(start);
          continue;
        }
        const decided = extend(change, start, number, key);
        if (typeof decided === 'string') problems.set(tenant, decided);
        else if (decided !== undefined) {
          trees.push(decided.tree);
          checkpoints.push(decided.checkpoint);
        }
      }
      if (trees.length > 0) {
        isCurrent = false;
        const bytes = encodeCheckpoints({ created_at: store.now().toISOString(), trees });
        if (!(await objects.audit.create(checkpointsName(number), bytes, signal))) {
          throw new Error(`Another process has signed the checkpoints ${number}.`);
        }
        last = number;
        isCurrent = true;
      }
      // An operator may have opened another tree since the last round.
      if ([...problems.values()].includes('tree_replaced')) isCurrent = false;
      for (const checkpoint of checkpoints) known.set(checkpoint.tenant, checkpoint);
      if (checkpoints.length > 0) {
        await store.transaction(({ audit }) => audit.putCheckpoints(checkpoints));
      }
      return { signed: trees.length, problems };
    },
  };
}

function extend(
  { tenant, tree, position, leaves }: TreeChange,
  before: Signed | undefined,
  number: number,
  key: SigningKey,
): { tree: SignedTree; checkpoint: Signed } | SigningProblem | undefined {
  const { origin, first } = tree;
  const start = before?.position ?? first - 1;
  const isComplete = leaves.length === Math.min(MAX_LEAVES, position - start);
  if (!isComplete || leaves.includes('')) return 'records_missing';
  if (leaves.length === 0) return undefined;
  const grown = appendLeaves(before ?? EMPTY_TREE, leaves);
  const end = start + leaves.length;
  if (end === position && treeRoot(grown) !== treeRoot(tree)) return 'tree_differs';
  const note = signCheckpoint(
    { origin: originName(tenant, origin), size: grown.size, root: treeRoot(grown) },
    key,
  );
  return {
    tree: { tenant, origin, first, from: before?.size ?? 0, leaves, note },
    checkpoint: { tenant, origin, first, ...grown, position: end, number, note },
  };
}
