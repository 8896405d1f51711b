import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { ErrorCode } from '@catalog/contract/errors/catalogue';
import type { Reference } from '../artifact/reference.ts';
import type { Artifact } from '../artifact/types.ts';
import { visitInDependencyOrder } from '../extends/dependency-order.ts';
import {
  parentReference,
  resolveExtends,
  type ParentCandidate,
  type ResolvedExtends,
} from '../extends/resolve-extends.ts';
import type { Diagnostic } from '../lint/diagnostic.ts';
import { matchesPin } from '../version/pin.ts';
import type { Entry } from './read-snapshots.ts';

/** What becomes of one entry. */
export type Decision = Accepted | Rejected;

export interface Accepted {
  kind: 'accepted';
  entry: Entry;
  /** As served. */
  artifact: Artifact;
  /** The ids of everything merged into it, nearest first. */
  ancestors: readonly string[];
  findings: Diagnostic[];
}

export interface Rejected {
  kind: 'rejected';
  entry: Entry;
  code: ErrorCode;
  reason: string;
  findings: Diagnostic[];
}

/** What lint says of an entry. */
export interface Linter {
  /** As authored, in the company of all others. */
  findingsOf(entry: Entry): Diagnostic[];
  /** As served, where it was merged with its parent. */
  findingsOfMerged(entry: Entry, merged: ResolvedExtends): Diagnostic[];
}

/** An entry, what it extends, and the nodes its decision waits for. */
interface Node {
  entry: Entry;
  /** What it names, or why that cannot be read; undefined when it extends nothing. */
  parent: Reference | CatalogError | undefined;
  /** Its possible parents, the layer that wins first; without a parent, its own id in lower layers. */
  awaited: readonly Node[];
}

type Decisions = Map<Node, Decision>;

/**
 * Decides every entry after those it depends on, across layers: a child after its parent, and an
 * artifact without `extends` after those of the same id below it, with which it may collide.
 */
export function decideEntries(entries: readonly Entry[], linter: Linter): Decision[] {
  const nodes = toNodes(entries);
  const decisions: Decisions = new Map();
  visitInDependencyOrder(
    nodes,
    (node) => node.awaited,
    (node, path) => {
      // A circle met further down has decided all its members.
      if (decisions.has(node)) return;
      const circle = findCircle(node, path, decisions);
      if (circle === undefined) decisions.set(node, decide(node, decisions, linter));
      else for (const member of circle) decisions.set(member, rejectCircle(member, circle, linter));
    },
  );
  return [...decisions.values()];
}

function decide(node: Node, decisions: Decisions, linter: Linter): Decision {
  const { entry, parent } = node;
  const findings = linter.findingsOf(entry);
  if (parent !== undefined && !hasErrors(entry.diagnostics)) {
    return decideChild(node, parent, decisions, linter);
  }
  if (hasErrors(findings)) return rejectFindings(entry, findings);
  const other = findCollision(node, decisions);
  if (other !== undefined) return rejectCollision(entry, other, findings);
  return { kind: 'accepted', entry, artifact: entry.artifact, ancestors: [], findings };
}

function decideChild(
  node: Node,
  parent: Reference | CatalogError,
  decisions: Decisions,
  linter: Linter,
): Decision {
  const { entry } = node;
  try {
    if (parent instanceof CatalogError) throw parent;
    const candidates = node.awaited.flatMap((holder) => toCandidate(decisions.get(holder)));
    if (candidates.length === 0 && node.awaited.length > 0) throw parentRejected(parent);
    const merged = resolveExtends(
      entry.artifact,
      parent,
      candidates.map((candidate) => [candidate]),
    );
    const findings = linter.findingsOfMerged(entry, merged);
    if (hasErrors(findings)) return rejectFindings(entry, findings);
    const { artifact, ancestors } = merged;
    return { kind: 'accepted', entry, artifact, ancestors, findings };
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    const { code, message } = error;
    return { kind: 'rejected', entry, code, reason: message, findings: linter.findingsOf(entry) };
  }
}

const NOBODY: readonly Node[] = [];

function toNodes(entries: readonly Entry[]): Node[] {
  const nodes: Node[] = entries.map((entry) => ({
    entry,
    parent: readParent(entry.artifact),
    awaited: NOBODY,
  }));
  const holders = Map.groupBy(nodes, (node) => node.entry.artifact.id);
  for (const node of nodes) node.awaited = awaitedBy(node, holders);
  return nodes;
}

function readParent(child: Artifact): Node['parent'] {
  try {
    return parentReference(child);
  } catch (error) {
    if (error instanceof CatalogError) return error;
    throw error;
  }
}

/** `holders` has the nodes of every id, from the lowest layer up. */
function awaitedBy(node: Node, holders: ReadonlyMap<string, Node[]>): readonly Node[] {
  const { entry, parent } = node;
  if (parent instanceof CatalogError) return NOBODY;
  const sameId = holders.get(parent?.id ?? entry.artifact.id) ?? NOBODY;
  if (parent === undefined) {
    return entry.overlay || sameId.length === 1
      ? NOBODY
      : sameId.filter((other) => other.entry.rank < entry.rank);
  }
  if (parent.id === entry.artifact.id) {
    return sameId.filter((other) => other.entry.rank < entry.rank).reverse();
  }
  return inLookupOrder(sameId, entry.rank);
}

/**
 * A child builds on what lies in its own layer or below it, nearest first: what is above may be
 * hidden from the child's readers, and a personal or overlaid variant must not change it for all.
 * Only an id that is nowhere below is looked for above, and never in the overlay.
 */
function inLookupOrder(holders: readonly Node[], rank: number): readonly Node[] {
  const below = holders.filter(({ entry }) => entry.rank <= rank).reverse();
  return below.length > 0 ? below : holders.filter(({ entry }) => !entry.overlay);
}

function toCandidate(decision: Decision | undefined): ParentCandidate[] {
  if (decision?.kind !== 'accepted') return [];
  const { artifact, ancestors } = decision;
  const { version, content_hash } = artifact;
  const deprecated = artifact.fields.deprecated === true;
  return [{ version, content_hash, deprecated, ingest_order: 0, artifact, ancestors }];
}

/** The nodes of the walk that lead back to the parent a child means; undefined when none do. */
function findCircle(
  node: Node,
  path: readonly Node[],
  decisions: Decisions,
): readonly Node[] | undefined {
  const { parent } = node;
  if (parent === undefined || parent instanceof CatalogError) return undefined;
  const meant = node.awaited.find(
    (holder) => decisions.get(holder)?.kind !== 'rejected' && mayMean(parent, holder.entry),
  );
  if (meant === undefined || decisions.has(meant)) return undefined;
  return path.slice(path.indexOf(meant));
}

/** Nothing can be pinned by a content hash that depends on the pin. */
function mayMean({ pin }: Reference, { artifact }: Entry): boolean {
  if (pin.kind === 'hash') return false;
  return pin.kind !== 'exact' || matchesPin(pin, artifact);
}

/** The artifact of the same id in a lower layer, which an artifact without `extends` may not shadow. */
function findCollision(node: Node, decisions: Decisions): Entry | undefined {
  if (node.parent !== undefined) return undefined;
  return node.awaited.find((other) => decisions.get(other)?.kind !== 'rejected')?.entry;
}

function hasErrors(findings: readonly Diagnostic[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

function rejectFindings(entry: Entry, findings: Diagnostic[]): Rejected {
  const reason = findings
    .filter(({ severity }) => severity === 'error')
    .map(({ message }) => message)
    .join(' ');
  return { kind: 'rejected', entry, code: 'ingest.lint_failed', reason, findings };
}

function rejectCollision(entry: Entry, other: Entry, findings: Diagnostic[]): Rejected {
  const { id } = entry.artifact;
  const reason = `Layer \`${other.artifact.layer}\` has the same id. Give this one another, or let it extend ${id}.`;
  return { kind: 'rejected', entry, code: 'ingest.collision', reason, findings };
}

function rejectCircle(member: Node, circle: readonly Node[], linter: Linter): Rejected {
  const { entry } = member;
  const ids = circle.map((node) => node.entry.artifact.id).join(', ');
  const reason = `These artifacts extend each other in a circle: ${ids}. Let one of them extend nothing.`;
  const findings = linter.findingsOf(entry);
  return { kind: 'rejected', entry, code: 'ingest.invalid_artifact', reason, findings };
}

function parentRejected({ id }: Reference): CatalogError {
  return new CatalogError(
    'ingest.invalid_artifact',
    `It extends \`${id}\`, which was itself rejected.`,
  );
}
