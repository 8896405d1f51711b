import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Reference } from '../artifact/reference.ts';
import type { Artifact } from '../artifact/types.ts';
import { parentReference } from '../extends/resolve-extends.ts';
import { matchesPin } from '../version/pin.ts';
import type { Entry } from './read-snapshots.ts';

/** An entry, what it extends, and the nodes its decision may depend on. */
export interface EntryNode {
  entry: Entry;
  /** What it names, or why that cannot be read; undefined when it extends nothing. */
  parent: Reference | CatalogError | undefined;
  /** Its possible parents, the layer that wins first; without a parent, its own id in lower layers. */
  others: readonly EntryNode[];
}

/** How far another node's decision is. */
export type Progress = 'open' | 'rejected' | Artifact;

const NOBODY: readonly EntryNode[] = [];

/** Entries must come from the lowest layer up. */
export function toGraph(entries: readonly Entry[]): EntryNode[] {
  const nodes: EntryNode[] = entries.map((entry) => ({
    entry,
    parent: readParent(entry.artifact),
    others: NOBODY,
  }));
  const holders = Map.groupBy(nodes, (node) => node.entry.artifact.id);
  for (const node of nodes) node.others = othersOf(node, holders);
  return nodes;
}

function readParent(child: Artifact): EntryNode['parent'] {
  try {
    return parentReference(child);
  } catch (error) {
    if (error instanceof CatalogError) return error;
    throw error;
  }
}

function othersOf(
  { entry, parent }: EntryNode,
  holders: ReadonlyMap<string, EntryNode[]>,
): readonly EntryNode[] {
  if (parent instanceof CatalogError) return NOBODY;
  const { rank, overlay, artifact } = entry;
  const found = holders.get(parent?.id ?? artifact.id) ?? NOBODY;
  if (parent === undefined && (overlay || found.length === 1)) return NOBODY;
  if (parent === undefined) return found.filter((other) => other.entry.rank < rank);
  if (parent.id === artifact.id) {
    return found.filter((other) => other.entry.rank < rank).reverse();
  }
  return inLookupOrder(found, rank);
}

/**
 * A child builds on what lies in its own layer or below it, nearest first: what is above may be
 * hidden from the child's readers, and somebody's variant must not change the child for everybody.
 * Only an id that is nowhere below is looked for above, and never in the overlay.
 */
function inLookupOrder(holders: readonly EntryNode[], rank: number): readonly EntryNode[] {
  const below = holders.filter(({ entry }) => entry.rank <= rank).reverse();
  return below.length > 0 ? below : holders.filter(({ entry }) => !entry.overlay);
}

/**
 * The nodes to decide before a node: those it may mean, until one settles which. Only where none
 * does, all others, so that its author can be told what there is.
 */
export function awaitedBy(
  node: EntryNode,
  progressOf: (other: EntryNode) => Progress,
): Iterable<EntryNode> {
  // Most entries wait for nobody, and there are many of them.
  return node.others.length === 0 ? NOBODY : awaitOthers(node, progressOf);
}

function* awaitOthers(
  node: EntryNode,
  progressOf: (other: EntryNode) => Progress,
): Iterable<EntryNode> {
  const candidates = candidatesOf(node);
  for (const other of candidates) {
    yield other;
    if (settles(node, progressOf(other))) return;
  }
  yield* node.others;
}

/** The node that a node means and that leads back to it; undefined when the way ends. */
export function findOpen(
  node: EntryNode,
  progressOf: (other: EntryNode) => Progress,
): EntryNode | undefined {
  const candidates = candidatesOf(node);
  const meant =
    candidates.find((other) => settles(node, progressOf(other))) ??
    candidates.find((other) => progressOf(other) === 'open');
  return meant !== undefined && progressOf(meant) === 'open' ? meant : undefined;
}

/** Those of the others that can be meant, as far as can be told before they are merged. */
function candidatesOf({ parent, others }: EntryNode): readonly EntryNode[] {
  if (parent === undefined || parent instanceof CatalogError) return others;
  const { pin } = parent;
  if (pin.kind === 'exact') return others.filter(({ entry }) => matchesPin(pin, entry.artifact));
  if (pin.kind !== 'hash') return others;
  const isChild = ({ parent }: EntryNode): boolean => parent !== undefined;
  const known = others.find((other) => !isChild(other) && matchesPin(pin, other.entry.artifact));
  return known === undefined ? others.filter(isChild) : [known];
}

/** Whether there is no need to look at further candidates. An open one has no hash yet. */
function settles({ parent }: EntryNode, progress: Progress): boolean {
  if (progress === 'rejected') return false;
  if (parent === undefined || parent instanceof CatalogError || parent.pin.kind !== 'hash')
    return true;
  return progress !== 'open' && matchesPin(parent.pin, progress);
}
