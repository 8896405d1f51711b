import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { ErrorCode } from '@catalog/contract/errors/catalogue';
import type { Reference } from '../artifact/reference.ts';
import type { Artifact } from '../artifact/types.ts';
import { visitInDependencyOrder } from '../extends/dependency-order.ts';
import {
  resolveExtends,
  type ParentCandidate,
  type ResolvedExtends,
} from '../extends/resolve-extends.ts';
import type { Diagnostic } from '../lint/diagnostic.ts';
import { diagnose } from '../manifest/diagnose.ts';
import { locate } from '../manifest/locate.ts';
import { WHOLE_FILE } from '../manifest/position.ts';
import { awaitedBy, findOpen, toGraph, type EntryNode, type Progress } from './entry-graph.ts';
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

type Decisions = Map<EntryNode, Decision>;

/**
 * Decides every entry after those it depends on, across layers: a child after its parent, and an
 * artifact without `extends` after those of the same id below it, with which it may collide.
 */
export function decideEntries(entries: readonly Entry[], linter: Linter): Decision[] {
  const decisions: Decisions = new Map();
  const progressOf = (node: EntryNode): Progress => {
    const decision = decisions.get(node);
    if (decision === undefined) return 'open';
    return decision.kind === 'accepted' ? decision.artifact : 'rejected';
  };
  visitInDependencyOrder(
    toGraph(entries),
    (node) => awaitedBy(node, progressOf),
    (node, path) => {
      // A circle met further down has decided all its members.
      if (decisions.has(node)) return;
      const open = node.parent === undefined ? undefined : findOpen(node, progressOf);
      const circle = open === undefined ? [] : path.slice(path.indexOf(open));
      for (const member of circle) decisions.set(member, rejectCircle(member, circle, linter));
      if (open === undefined) decisions.set(node, decide(node, decisions, linter));
    },
  );
  return [...decisions.values()];
}

function decide(node: EntryNode, decisions: Decisions, linter: Linter): Decision {
  const { entry, parent } = node;
  if (parent !== undefined && !hasErrors(entry.diagnostics)) {
    return decideChild(node, parent, decisions, linter);
  }
  const findings = linter.findingsOf(entry);
  if (hasErrors(findings)) return rejectFindings(entry, findings);
  const other = node.others.find((below) => decisions.get(below)?.kind !== 'rejected');
  if (other !== undefined) return rejectCollision(entry, other.entry, findings);
  return { kind: 'accepted', entry, artifact: entry.artifact, ancestors: [], findings };
}

function decideChild(
  { entry, others }: EntryNode,
  parent: Reference | CatalogError,
  decisions: Decisions,
  linter: Linter,
): Decision {
  try {
    if (parent instanceof CatalogError) throw parent;
    const decided = others.flatMap((other) => decisions.get(other) ?? []);
    const layers = decided.flatMap((decision) =>
      decision.kind === 'accepted' ? [[toCandidate(decision)]] : [],
    );
    if (layers.length === 0 && decided.length > 0) throw parentRejected(parent);
    const merged = resolveExtends(entry.artifact, parent, layers);
    const findings = linter.findingsOfMerged(entry, merged);
    if (hasErrors(findings)) return rejectFindings(entry, findings);
    const { artifact, ancestors } = merged;
    return { kind: 'accepted', entry, artifact, ancestors, findings };
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    const { code, message, suggested_action } = error;
    const problem = { code, message, fix: suggested_action, place: 'extends' } as const;
    return reject(entry, problem, linter.findingsOf(entry));
  }
}

/** A folder has no history: each layer holds one version of an id. */
function toCandidate({ artifact, ancestors }: Accepted): ParentCandidate {
  const { version, content_hash, fields } = artifact;
  const deprecated = fields.deprecated === true;
  return { version, content_hash, deprecated, ingest_order: 0, artifact, ancestors };
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

/** A reason that lint does not know: it is about the artifact among others, or about what it extends. */
interface Problem {
  code: ErrorCode;
  message: string;
  fix: string;
  place: 'extends' | 'file';
}

/** The reason stands among the findings too, so that whoever lists them needs to know no other place. */
function reject(entry: Entry, problem: Problem, findings: readonly Diagnostic[]): Rejected {
  const { id, layer, manifest, skill } = entry.artifact;
  const { code, message, place } = problem;
  const position =
    place === 'extends' && manifest !== undefined ? locate(manifest, ['extends']) : WHOLE_FILE;
  const file = (manifest ?? skill)?.file ?? id;
  const finding = diagnose(problem, 'error', position, { file, artifact_id: id, layer });
  return { kind: 'rejected', entry, code, reason: message, findings: [...findings, finding] };
}

function rejectCollision(entry: Entry, other: Entry, findings: readonly Diagnostic[]): Rejected {
  const problem = {
    code: 'ingest.collision',
    message: `Layer \`${other.artifact.layer}\` has the same id.`,
    fix: `Give this one another, or let it extend ${entry.artifact.id}.`,
    place: 'file',
  } as const;
  return reject(entry, problem, findings);
}

function rejectCircle(
  { entry }: EntryNode,
  circle: readonly EntryNode[],
  linter: Linter,
): Rejected {
  const ids = circle.map((node) => node.entry.artifact.id).join(', ');
  const problem = {
    code: 'ingest.invalid_artifact',
    message: `These artifacts extend each other in a circle: ${ids}.`,
    fix: 'Let one of them extend nothing.',
    place: 'extends',
  } as const;
  return reject(entry, problem, linter.findingsOf(entry));
}

function parentRejected({ id }: Reference): CatalogError {
  return new CatalogError(
    'ingest.invalid_artifact',
    `It extends \`${id}\`, which was itself rejected.`,
    { suggested_action: `Correct \`${id}\` first.` },
  );
}
