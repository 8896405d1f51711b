import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Reference } from '../artifact/reference.ts';
import type { Artifact } from '../artifact/types.ts';
import { parentReference } from '../extends/resolve-extends.ts';
import { isSpecific, matchesPin } from '../version/pin.ts';
import type { Entry } from './read-snapshots.ts';
import type { StoredHolder } from './stored-holder.ts';

export interface EntryNode {
  kind: 'entry';
  entry: Entry;
  /** Reference to the parent, or an error; undefined without `extends`. */
  parent: Reference | CatalogError | undefined;
  /** Possible parents, the winning layer first. Without a parent, other artifacts with the same id. */
  others: readonly Holder[];
}

export type Holder = EntryNode | StoredHolder;

export type Progress = 'open' | 'rejected' | Artifact;

const NO_HOLDERS: readonly Holder[] = [];

/** Builds the graph of entries, which are given from the lowest layer up. */
export function toGraph(
  entries: readonly Entry[],
  stored: ReadonlyMap<string, readonly StoredHolder[]>,
): EntryNode[] {
  const nodes: EntryNode[] = entries.map((entry) => ({
    kind: 'entry',
    entry,
    parent: readParent(entry.artifact),
    others: NO_HOLDERS,
  }));
  const byId = Map.groupBy(nodes, (node) => node.entry.artifact.id);
  const holdersOf = (id: string): readonly Holder[] => {
    const own = byId.get(id) ?? NO_HOLDERS;
    const kept = stored.get(id);
    return kept === undefined ? own : [...own, ...kept].sort((a, b) => rankOf(a) - rankOf(b));
  };
  for (const node of nodes) node.others = othersOf(node, holdersOf);
  return nodes;
}

export function rankOf(holder: Holder): number {
  return holder.kind === 'entry' ? holder.entry.rank : holder.rank;
}

export function readParent(child: Artifact): EntryNode['parent'] {
  try {
    return parentReference(child);
  } catch (error) {
    if (error instanceof CatalogError) return error;
    throw error;
  }
}

function othersOf(
  { entry, parent }: EntryNode,
  holdersOf: (id: string) => readonly Holder[],
): readonly Holder[] {
  if (parent instanceof CatalogError) return NO_HOLDERS;
  const { rank, overlay, artifact } = entry;
  const all = holdersOf(parent?.id ?? artifact.id);
  if (parent === undefined && (overlay || all.length === 1)) return NO_HOLDERS;
  if (parent === undefined) return all.filter((other) => mayCollide(other, rank));
  const found = all.filter((other) => other.kind === 'entry' || other.extendable);
  if (parent.id === artifact.id) {
    return found.filter((other) => rankOf(other) < rank).reverse();
  }
  return inLookupOrder(found, rank);
}

/**
 * Returns true if two artifacts with the same id collide. Of two new ones, the upper one is rejected. An artifact that
 * is already served stays at any rank (SPEC-21), except if an overlay of the same id extends it.
 */
function mayCollide(other: Holder, rank: number): boolean {
  if (other.kind === 'entry') return other.entry.rank < rank;
  return other.live && other.rank !== rank && !(other.overlays && other.rank > rank);
}

/**
 * Orders layers for the lookup of a parent: the own layer and lower ones, nearest first. Higher layers are searched last, because they may be hidden from readers and one user's variant must not change the child
 * for all.
 */
function inLookupOrder(holders: readonly Holder[], rank: number): readonly Holder[] {
  const below = holders.filter((holder) => rankOf(holder) <= rank).reverse();
  return below.length > 0
    ? below
    : holders.filter((holder) => holder.kind === 'stored' || !holder.entry.overlay);
}

/**
 * Returns the entries to decide before an artifact: possible parents, until one matches. If none matches, all others
 * follow, so that the error can list them.
 */
export function listDependencies(
  node: EntryNode,
  progressOf: (other: EntryNode) => Progress,
): Iterable<EntryNode> {
  return node.others.length === 0 ? [] : yieldDependencies(node, progressOf);
}

function* yieldDependencies(
  node: EntryNode,
  progressOf: (other: EntryNode) => Progress,
): Iterable<EntryNode> {
  for (const other of candidatesOf(node)) {
    if (other.kind === 'entry') yield other;
    if (settles(node, other, progressOf)) return;
  }
  for (const other of node.others) if (other.kind === 'entry') yield other;
}

/** Returns the artifact in progress that the reference resolves to, which means a cycle; otherwise undefined. */
export function findCycleNode(
  node: EntryNode,
  progressOf: (other: EntryNode) => Progress,
): EntryNode | undefined {
  const isOpen = (other: Holder): boolean => other.kind === 'entry' && progressOf(other) === 'open';
  const candidates = candidatesOf(node);
  const resolved =
    candidates.find((other) => settles(node, other, progressOf)) ?? candidates.find(isOpen);
  return resolved?.kind === 'entry' && isOpen(resolved) ? resolved : undefined;
}

/** Returns the artifacts that a reference can match, as far as known before they are merged. */
function candidatesOf({ parent, others }: EntryNode): readonly Holder[] {
  if (parent === undefined || parent instanceof CatalogError) return others;
  const { pin } = parent;
  if (!isSpecific(pin)) return others;
  const matches = (other: Holder): boolean =>
    other.kind === 'stored'
      ? other.candidates.some((candidate) => matchesPin(pin, candidate))
      : matchesPin(pin, other.entry.artifact);
  if (pin.kind === 'exact') return others.filter(matches);
  const isChild = (other: Holder): boolean => other.kind === 'entry' && other.parent !== undefined;
  const known = others.find((other) => !isChild(other) && matches(other));
  return known === undefined ? others.filter(isChild) : [known];
}

/** Returns true if no further artifacts are needed to resolve a reference. One in progress has no hash yet. */
function settles(
  { parent }: EntryNode,
  other: Holder,
  progressOf: (other: EntryNode) => Progress,
): boolean {
  const pin = parent === undefined || parent instanceof CatalogError ? undefined : parent.pin;
  if (other.kind === 'stored') return other.candidates.length > 0;
  const progress = progressOf(other);
  if (progress === 'rejected') return false;
  return pin?.kind !== 'hash' || (progress !== 'open' && matchesPin(pin, progress));
}
