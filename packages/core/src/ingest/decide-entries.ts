import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Reference } from '../artifact/reference.ts';
import type { Artifact } from '../artifact/types.ts';
import { visitInDependencyOrder } from '../extends/dependency-order.ts';
import {
  resolveExtends,
  unnamedParent,
  type NamedParents,
  type ParentCandidate,
  type ResolvedExtends,
} from '../extends/resolve-extends.ts';
import type { Diagnostic, Severity } from '../lint/diagnostic.ts';
import { diagnose } from '../manifest/diagnose.ts';
import { locate } from '../manifest/locate.ts';
import { WHOLE_FILE } from '../manifest/position.ts';
import {
  listDependencies,
  findCycleNode,
  rankOf,
  toGraph,
  type EntryNode,
  type Holder,
  type Progress,
} from './entry-graph.ts';
import type { Problem } from './problem.ts';
import type { Entry } from './read-snapshots.ts';
import type { StoredArtifact, StoredHolder } from './stored-holder.ts';
import type { ReserveQuota } from './remaining-quota.ts';
import type { Rejection } from './types.ts';

export type Decision = Accepted | Kept | Rejected;

export interface Accepted {
  kind: 'accepted';
  entry: Entry;
  artifact: Artifact;
  parent: Artifact | undefined;
  /** Ids of all parents, nearest first. */
  ancestors: readonly string[];
  findings: Diagnostic[];
  /** Why the artifact must never be served. Present only if the options store such artifacts. */
  refusal: CatalogError | undefined;
}

/** A stored version that stays unchanged. */
export interface Kept {
  kind: 'kept';
  entry: Entry;
}

export interface Rejected {
  kind: 'rejected';
  entry: Entry;
  code: string;
  reason: string;
  findings: Diagnostic[];
}

export function toRejection({ entry, code, reason, findings }: Rejected): Rejection {
  const { id, layer, type } = entry.artifact;
  const isKnown = type !== '' && !findings.some((found) => found.code === 'lint.misspelled_type');
  return {
    artifact_id: id,
    layer,
    ...(isKnown ? { type } : {}),
    code,
    reason,
    diagnostics: findings,
  };
}

export interface Linter {
  findingsOf(entry: Entry): Diagnostic[];
  findingsOfMerged(entry: Entry, merged: ResolvedExtends): Diagnostic[];
}

export interface DecideOptions {
  stored: ReadonlyMap<string, readonly StoredHolder[]>;
  isKept(entry: Entry): boolean;
  isServed(entry: Entry): boolean;
  object(artifact: Artifact, entry: Entry): Problem | undefined;
  takeRoom: ReserveQuota;
  /** Returns true if messages may name a layer, because all readers see it. */
  isNamed: (layer: string) => boolean;
  /** Parents that messages may name. */
  named_parents: NamedParents;
  /** True to store artifacts that must never be served, and to report them instead of rejecting them. */
  takes_refused: boolean;
}

export const FOLDER: DecideOptions = {
  stored: new Map(),
  isKept: () => false,
  isServed: () => false,
  object: () => undefined,
  takeRoom: () => undefined,
  isNamed: () => true,
  named_parents: 'all',
  takes_refused: false,
};

type Decisions = Map<EntryNode, Decision>;

interface Deciding {
  decisions: Decisions;
  linter: Linter;
  options: DecideOptions;
}

/** Decides every entry after its parent, or after the same id in lower layers. */
export function decideEntries(
  entries: readonly Entry[],
  linter: Linter,
  options: DecideOptions = FOLDER,
): Decision[] {
  const decisions: Decisions = new Map();
  const deciding = { decisions, linter, options };
  const progressOf = (node: EntryNode): Progress => {
    const decision = decisions.get(node);
    if (decision === undefined) return 'open';
    if (decision.kind === 'rejected') return 'rejected';
    return decision.kind === 'accepted' ? decision.artifact : decision.entry.artifact;
  };
  visitInDependencyOrder(
    toGraph(entries, options.stored),
    (node) => listDependencies(node, progressOf),
    (node, path) => {
      // All members of a cycle are decided together.
      if (decisions.has(node)) return;
      const open = node.parent === undefined ? undefined : findCycleNode(node, progressOf);
      const circle = open === undefined ? [] : path.slice(path.indexOf(open));
      for (const member of circle) decisions.set(member, rejectCycle(member, circle, linter));
      if (open === undefined) decisions.set(node, decide(node, deciding));
    },
  );
  return [...decisions.values()];
}

function decide(node: EntryNode, deciding: Deciding): Decision {
  const { linter, options } = deciding;
  const { entry, parent } = node;
  if (options.isKept(entry)) return keep(node, deciding);
  if (parent !== undefined && !hasErrors(entry.diagnostics)) {
    return decideChild(node, parent, deciding);
  }
  const findings = linter.findingsOf(entry);
  if (hasErrors(findings)) return rejectFindings(entry, findings);
  const other = node.others.find((holder) => holdsId(holder, deciding));
  if (other !== undefined) return rejectCollision(entry, layerOf(other), findings, options);
  const alone = { parent: undefined, ancestors: [], refusal: undefined };
  return accept(entry, { artifact: entry.artifact, ...alone }, findings, options);
}

function accept(
  entry: Entry,
  served: Pick<Accepted, 'artifact' | 'parent' | 'ancestors' | 'refusal'>,
  findings: Diagnostic[],
  options: DecideOptions,
): Decision {
  const wanted = { stores: true, serves: !options.isServed(entry) };
  const problem =
    options.object(served.artifact, entry) ?? options.takeRoom(served.artifact, wanted);
  return problem === undefined
    ? { kind: 'accepted', entry, ...served, findings }
    : reject(entry, problem, findings);
}

/** Checks a withdrawn version that returns for collisions, like a new one. A served version stays. */
function keep({ entry, parent, others }: EntryNode, deciding: Deciding): Decision {
  const { options } = deciding;
  if (options.isServed(entry)) return { kind: 'kept', entry };
  const other =
    parent === undefined ? others.find((holder) => holdsId(holder, deciding)) : undefined;
  if (other !== undefined) return rejectCollision(entry, layerOf(other), [], options);
  const problem = options.takeRoom(entry.artifact, { stores: false, serves: true });
  return problem === undefined ? { kind: 'kept', entry } : reject(entry, problem, []);
}

function holdsId(holder: Holder, { decisions }: Deciding): boolean {
  return holder.kind === 'stored' || decisions.get(holder)?.kind !== 'rejected';
}

function layerOf(holder: Holder): string {
  return holder.kind === 'stored' ? holder.layer : holder.entry.artifact.layer;
}

function decideChild(
  { entry, others }: EntryNode,
  parent: Reference | CatalogError,
  deciding: Deciding,
): Decision {
  const { linter, options } = deciding;
  try {
    if (parent instanceof CatalogError) throw options.named_parents === 'all' ? parent : UNREADABLE;
    const layers = candidateLayers(entry, others, deciding);
    const { named_parents } = options;
    if (layers.length === 0 && others.length > 0) {
      const isNamed = others.some((other) => isNamedHolder(other, entry, options));
      throw isNamed || named_parents === 'all'
        ? parentRejected(parent)
        : unnamedParent(entry.artifact);
    }
    const merged = resolveExtends(entry.artifact, parent, layers, named_parents);
    if (merged.refusal !== undefined && !options.takes_refused) throw merged.refusal;
    const findings = linter.findingsOfMerged(entry, merged);
    if (hasErrors(findings)) return rejectFindings(entry, findings);
    const { refusal } = merged;
    const reportedFindings =
      refusal === undefined
        ? findings
        : [...findings, findingOf(entry, toProblem(refusal), 'warning')];
    return accept(entry, merged, reportedFindings, options);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    return reject(entry, toProblem(error), linter.findingsOf(entry));
  }
}

function candidateLayers(
  entry: Entry,
  others: readonly Holder[],
  { decisions, options }: Deciding,
): ParentCandidate[][] {
  const layers = new Map<number, ParentCandidate[]>();
  for (const other of others) {
    const is_named = isNamedHolder(other, entry, options);
    const offered =
      other.kind === 'stored'
        ? fromStored(other, is_named)
        : fromEntry(decisions.get(other), is_named);
    if (offered.length === 0) continue;
    const rank = rankOf(other);
    layers.set(rank, [...(layers.get(rank) ?? []), ...offered]);
  }
  return [...layers.values()];
}

function isNamedHolder(holder: Holder, { artifact }: Entry, { isNamed }: DecideOptions): boolean {
  const layer = layerOf(holder);
  return layer === artifact.layer || isNamed(layer);
}

function fromEntry(decision: Decision | undefined, is_named: boolean): ParentCandidate[] {
  if (decision?.kind !== 'accepted') return [];
  const { artifact, ancestors, refusal } = decision;
  const { version, content_hash, fields } = artifact;
  const deprecated = fields.deprecated === true;
  const is_refused = refusal !== undefined;
  const ingest_order = Infinity;
  const offered = { version, content_hash, deprecated, ingest_order, artifact, ancestors };
  return [{ ...offered, is_refused, is_named }];
}

/** Loads the versions that a child can refer to. */
function fromStored(
  { candidates, artifacts, layer }: StoredHolder,
  is_named: boolean,
): ParentCandidate[] {
  return candidates.map((candidate) => ({
    ...candidate,
    is_named,
    get artifact() {
      return loadStored(artifacts, candidate.version, layer).artifact;
    },
    get ancestors() {
      return loadStored(artifacts, candidate.version, layer).ancestors;
    },
    get is_refused() {
      return loadStored(artifacts, candidate.version, layer).is_refused;
    },
  }));
}

function loadStored(
  artifacts: StoredHolder['artifacts'],
  version: string,
  layer: string,
): StoredArtifact {
  const stored = artifacts.get(version);
  if (stored === undefined) throw new Error(`version ${version} in ${layer} was not loaded`);
  return stored;
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

/** Rejects an entry. The reason is added to the findings, so that their list is complete. */
function reject(entry: Entry, problem: Problem, findings: readonly Diagnostic[]): Rejected {
  const { code, message } = problem;
  const finding = findingOf(entry, problem, 'error');
  return { kind: 'rejected', entry, code, reason: message, findings: [...findings, finding] };
}

function findingOf({ artifact }: Entry, problem: Problem, severity: Severity): Diagnostic {
  const { id, layer, manifest, skill } = artifact;
  const position =
    problem.place === 'extends' && manifest !== undefined
      ? locate(manifest, ['extends'])
      : WHOLE_FILE;
  const file = (manifest ?? skill)?.file ?? id;
  return diagnose(problem, severity, position, { file, artifact_id: id, layer });
}

function toProblem({ code, message, suggested_action }: CatalogError): Problem {
  return { code, message, fix: suggested_action, place: 'extends' };
}

function rejectCollision(
  entry: Entry,
  other: string,
  findings: readonly Diagnostic[],
  { isNamed }: DecideOptions,
): Rejected {
  const problem = {
    code: 'ingest.collision',
    message: `${isNamed(other) ? `Layer \`${other}\`` : 'Another layer'} has the same id.`,
    fix: `Rename this one, or let it extend ${entry.artifact.id}.`,
    place: 'file',
  } as const;
  return reject(entry, problem, findings);
}

function rejectCycle({ entry }: EntryNode, circle: readonly EntryNode[], linter: Linter): Rejected {
  const ids = circle.map((node) => node.entry.artifact.id).join(', ');
  const problem = {
    code: 'ingest.invalid_artifact',
    message: `These artifacts extend each other in a cycle: ${ids}.`,
    fix: 'Remove `extends` from one of them.',
    place: 'extends',
  } as const;
  return reject(entry, problem, linter.findingsOf(entry));
}

/** Error for an invalid `extends`, without the id in it, which may be hidden. */
const UNREADABLE = new CatalogError('ingest.invalid_artifact', 'Its `extends` is not valid.', {
  suggested_action: 'Write <id> or <id>@<version>, such as ops/deploy/check@1.2.x.',
});

function parentRejected({ id }: Reference): CatalogError {
  return new CatalogError(
    'ingest.invalid_artifact',
    `It extends \`${id}\`, which was itself rejected.`,
    { suggested_action: `Fix \`${id}\` first.` },
  );
}
