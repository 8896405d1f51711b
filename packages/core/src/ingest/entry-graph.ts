import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Reference } from '../artifact/reference.ts';
import type { Artifact } from '../artifact/types.ts';
import { parentReference } from '../extends/resolve-extends.ts';
import { isSpecific, matchesPin } from '../version/pin.ts';
import type { Entry } from './read-snapshots.ts';
import type { StoredHolder } from './stored-holder.ts';

/** An entry, what it extends, and the holders its decision may depend on. */
export interface EntryNode {
  kind: 'entry';
  entry: Entry;
  /** What it names, or why that cannot be read; undefined when it extends nothing. */
  parent: Reference | CatalogError | undefined;
  /** Its possible parents, the layer that wins first; without a parent, who holds its id already. */
  others: readonly Holder[];
}

/** Who has an id: another entry of the run, or a layer that a registry keeps. */
export type Holder = EntryNode | StoredHolder;

/** How far an entry's decision is. */
export type Progress = 'open' | 'rejected' | Artifact;

const NOBODY: readonly Holder[] = [];

/** Entries must come from the lowest layer up. */
export function toGraph(
  entries: readonly Entry[],
  stored: ReadonlyMap<string, readonly StoredHolder[]>,
): EntryNode[] {
  const nodes: EntryNode[] = entries.map((entry) => ({
    kind: 'entry',
    entry,
    parent: readParent(entry.artifact),
    others: NOBODY,
  }));
  const byId = Map.groupBy(nodes, (node) => node.entry.artifact.id);
  const holdersOf = (id: string): readonly Holder[] => {
    const own = byId.get(id) ?? NOBODY;
    const kept = stored.get(id);
    return kept === undefined ? own : [...own, ...kept].sort((a, b) => rankOf(a) - rankOf(b));
  };
  for (const node of nodes) node.others = othersOf(node, holdersOf);
  return nodes;
}

/** The place of a holder's layer; a higher one takes precedence. */
export function rankOf(holder: Holder): number {
  return holder.kind === 'entry' ? holder.entry.rank : holder.rank;
}

/** What an artifact extends, or why that cannot be read; undefined when it stands alone. */
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
  if (parent instanceof CatalogError) return NOBODY;
  const { rank, overlay, artifact } = entry;
  const all = holdersOf(parent?.id ?? artifact.id);
  if (parent === undefined && (overlay || all.length === 1)) return NOBODY;
  if (parent === undefined) return all.filter((other) => mayCollide(other, rank));
  const found = all.filter((other) => other.kind === 'entry' || other.extendable);
  if (parent.id === artifact.id) {
    return found.filter((other) => rankOf(other) < rank).reverse();
  }
  return inLookupOrder(found, rank);
}

/**
 * Of two entries the upper one is rejected. What a registry serves already stays, wherever its layer
 * stands (SPEC-21), but for an artifact that overlays its own id: it wants the other to be there.
 */
function mayCollide(other: Holder, rank: number): boolean {
  if (other.kind === 'entry') return other.entry.rank < rank;
  return other.live && other.rank !== rank && !(other.overlays && other.rank > rank);
}

/**
 * A child builds on what lies in its own layer or below it, nearest first: what is above may be
 * hidden from the child's readers, and somebody's variant must not change the child for everybody.
 * Only an id that is nowhere below is looked for above, and never in the overlay.
 */
function inLookupOrder(holders: readonly Holder[], rank: number): readonly Holder[] {
  const below = holders.filter((holder) => rankOf(holder) <= rank).reverse();
  return below.length > 0
    ? below
    : holders.filter((holder) => holder.kind === 'stored' || !holder.entry.overlay);
}

/**
 * The entries to decide before a node: those it may mean, until one settles which. Only where none
 * does, all others, so that its author can be told what there is.
 */
export function awaitedBy(
  node: EntryNode,
  progressOf: (other: EntryNode) => Progress,
): Iterable<EntryNode> {
  // Most entries wait for nobody, and there are many of them.
  return node.others.length === 0 ? [] : awaitOthers(node, progressOf);
}

function* awaitOthers(
  node: EntryNode,
  progressOf: (other: EntryNode) => Progress,
): Iterable<EntryNode> {
  for (const other of candidatesOf(node)) {
    if (other.kind === 'entry') yield other;
    if (settles(node, other, progressOf)) return;
  }
  for (const other of node.others) if (other.kind === 'entry') yield other;
}

/** The node that a node means and that leads back to it; undefined when the way ends. */
export function findOpen(
  node: EntryNode,
  progressOf: (other: EntryNode) => Progress,
): EntryNode | undefined {
  const isOpen = (other: Holder): boolean => other.kind === 'entry' && progressOf(other) === 'open';
  const candidates = candidatesOf(node);
  const meant =
    candidates.find((other) => settles(node, other, progressOf)) ?? candidates.find(isOpen);
  return meant?.kind === 'entry' && isOpen(meant) ? meant : undefined;
}

/** Those of the others that can be meant, as far as can be told before they are merged. */
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

/** Whether there is no need to look at further candidates. An open one has no hash yet. */
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
