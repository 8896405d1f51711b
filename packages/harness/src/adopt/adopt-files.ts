import { decideSnapshots } from '@catalog/core/ingest/decide-snapshots';
import { pathProblem } from '@catalog/core/artifact/safe-path';
import type { Artifact } from '@catalog/core/artifact/types';
import type { HarnessAdapter } from '../adapter.ts';
import { harnessCapabilities } from '../registry.ts';
import type { AdoptedType, SkippedContent } from './adopt-source.ts';
import type { Candidate, FileEntry, Found, SkippedArtifact } from './candidate.ts';
import { collect, type FoundWorkspace } from './collect.ts';
import { groupCopies, type ChosenBy, type CopyGroup, type Preference } from './group-copies.ts';
import { mergeCopies, type MergedCopies, type MergedFile } from './merge-copies.ts';
import { mergeProse } from './merge-prose.ts';
import { otherMembers, type OtherMembers } from './other-members.ts';
import { ADOPTED_LAYER, hasSecret, idOf, packageOf, secretReason } from './package-of.ts';
import { withPlainLinks } from './plain-links.ts';
import { preserveSources, type AdoptedPackage, type KeptPath } from './preserve-sources.ts';
import { describeSyncChanges } from './written-back.ts';

export interface AdoptOptions {
  /** Adapters in order of preference. */
  adapters: readonly HarnessAdapter[];
  preference: Preference;
  /** Prefix of every id; empty for none. */
  domain: string;
  /** Set for a plugin. `from` becomes `imported_from`; artifacts without a version get `version`. */
  imported?: { from: string; version: string | undefined };
}

export interface AdoptedCopy {
  path: string;
  entry: FileEntry | null;
  harnesses: string[];
  differs: string[];
}

export interface AdoptedObject {
  type: AdoptedType;
  name: string;
  id: string | null;
  /** Result; `there` means that the catalog already has the artifact. */
  outcome: 'taken' | 'converted' | 'left' | 'there';
  /** Copies, of which the first one is used. */
  copies: AdoptedCopy[];
  /** Why the first copy was chosen; null if no copy differs. */
  chosen_by: ChosenBy | null;
  merged: MergedFile[];
  /** Files that the artifact does not contain unchanged, with paths relative to the catalog. */
  kept: KeptPath[];
  changes: string[];
  reason: string | null;
}

export interface Adoption {
  things: AdoptedObject[];
  packages: AdoptedPackage[];
  artifacts: Artifact[];
  /** Members that were skipped in partly adopted files. */
  other_members: OtherMembers[];
}

/**
 * Converts files to artifacts. Each package is checked as by a sync, so that the catalog accepts it. Has no side
 * effects.
 */
export function adoptFiles(workspace: FoundWorkspace, options: AdoptOptions): Adoption {
  const found = mergeProse(
    mergeSharedPaths(
      options.adapters.flatMap((adapter) => collect(adapter.id, adapter.adopt ?? [], workspace)),
    ),
  );
  const left = found.filter((one) => one.kind === 'left');
  const groups = groupCopies(
    found.filter((one) => one.kind === 'candidate'),
    options.preference,
  );
  const proposals = propose(groups, options);
  const packages = proposals.flatMap(({ made }) => ('left' in made ? [] : [made]));
  const decided = decide(packages);
  const things = proposals.map((proposal) => toAdopted(proposal, decided, workspace, options));
  const taken = new Set(things.map(({ id }) => id));
  return {
    things: [...things, ...left.map(toSkipped)].sort(byTypeAndName),
    packages: packages.filter(({ id }) => taken.has(id)),
    artifacts: [...decided.artifacts.values()],
    other_members: otherMembers(
      options.adapters.flatMap(({ adopt = [] }) => adopt),
      workspace.files,
    ),
  };
}

function mergeSharedPaths(found: readonly Found[]): Found[] {
  const seen = new Map<string, Found>();
  for (const one of found) {
    const key = `${one.type} ${one.path} ${one.name}`;
    const before = seen.get(key);
    if (before === undefined) seen.set(key, one);
    else before.harnesses.push(...one.harnesses.filter((id) => !before.harnesses.includes(id)));
  }
  return [...seen.values()];
}

interface Proposal extends MergedCopies {
  group: CopyGroup;
  id: string;
  made: AdoptedPackage | SkippedContent;
}

/** Proposes artifacts. A second one with the same id is skipped and reported. */
function propose(groups: readonly CopyGroup[], { domain, imported }: AdoptOptions): Proposal[] {
  const taken = new Set<string>();
  return groups.map((group) => {
    const id = idOf(group.chosen, domain);
    const { candidate: whole, merged } = mergeCopies(group);
    const candidate = withOrigin(withPlainLinks(whole), imported);
    if (taken.has(id.toLowerCase())) {
      const made = { left: `something else is called ${id} already` };
      return { group, id, candidate, merged, made };
    }
    const made = adoptedPackage(group, candidate, id);
    if (!('left' in made)) taken.add(id.toLowerCase());
    return { group, id, candidate, merged, made };
  });
}

function withOrigin(candidate: Candidate, imported: AdoptOptions['imported']): Candidate {
  if (imported === undefined) return candidate;
  const { from, version } = imported;
  const values = { ...(version === undefined ? {} : { version }), ...candidate.values };
  return { ...candidate, values: { ...values, imported_from: from } };
}

function adoptedPackage(
  group: CopyGroup,
  candidate: Candidate,
  id: string,
): AdoptedPackage | SkippedContent {
  const made = packageOf(candidate, id);
  if ('left' in made) return made;
  const kept = preserveSources(group, made);
  const secret = candidate.type === 'mcp-server' ? undefined : kept.find(hasSecret);
  if (secret !== undefined) return { left: secretReason(secret.sources[0] ?? secret.path) };
  for (const { path } of [...made.resources, ...kept]) {
    const problem = pathProblem(`${id}/${path}`);
    if (problem !== undefined) return { left: `the path ${id}/${path} ${problem}` };
  }
  return { ...made, kept };
}

interface Decided {
  artifacts: ReadonlyMap<string, Artifact>;
  refused: ReadonlyMap<string, string>;
}

function decide(packages: AdoptedPackage[]): Decided {
  const snapshot = { layer: ADOPTED_LAYER, packages, domains: [], refused: [] };
  const { artifacts, rejected } = decideSnapshots([snapshot], {
    capabilities: harnessCapabilities(),
  });
  return {
    artifacts: new Map(artifacts.map((artifact) => [artifact.id, artifact])),
    refused: new Map(
      rejected.map(({ artifact_id, reason, diagnostics }) => {
        const error = diagnostics.find(({ severity }) => severity === 'error');
        return [artifact_id, error?.message ?? reason];
      }),
    ),
  };
}

function toAdopted(
  { group, id, candidate, merged, made }: Proposal,
  { artifacts, refused }: Decided,
  workspace: FoundWorkspace,
  options: AdoptOptions,
): AdoptedObject {
  const { chosen, chosen_by, others } = group;
  const { type, name } = chosen;
  const copies = [toCopy(chosen, []), ...others.map(({ copy, differs }) => toCopy(copy, differs))];
  const artifact = artifacts.get(id);
  if ('left' in made || artifact === undefined) {
    const reason = 'left' in made ? made.left : (refused.get(id) ?? 'it cannot be read back');
    return { ...skippedArtifact(chosen, reason), copies, chosen_by };
  }
  const changes = [
    ...candidate.changes,
    ...[chosen, ...others.map(({ copy }) => copy)]
      .flatMap(({ left_out }) => left_out)
      .map((path) => `${path} is left out`),
    ...writtenBack(artifact, chosen, workspace, options),
  ];
  const outcome = changes.length === 0 ? 'taken' : 'converted';
  const kept = made.kept.map(({ path, sources }) => ({ path: `${id}/${path}`, sources }));
  return { type, name, id, outcome, copies, chosen_by, merged, kept, changes, reason: null };
}

function toCopy({ path, entry, harnesses }: Candidate, differs: string[]): AdoptedCopy {
  return { path, entry, harnesses, differs };
}

const DOCUMENTS: ReadonlySet<AdoptedType> = new Set(['agent', 'command', 'rule']);

function writtenBack(
  artifact: Artifact,
  { type, path, harnesses }: Candidate,
  { files }: FoundWorkspace,
  { adapters }: AdoptOptions,
): string[] {
  const file = files.get(path);
  if (file === undefined || !DOCUMENTS.has(type)) return [];
  return adapters
    .filter(({ id }) => harnesses.includes(id))
    .flatMap((adapter) => describeSyncChanges(artifact, type, adapter, file));
}

function toSkipped(thing: SkippedArtifact): AdoptedObject {
  const { path, harnesses, reason } = thing;
  return {
    ...skippedArtifact(thing, reason),
    copies: [{ path, entry: null, harnesses, differs: [] }],
  };
}

function skippedArtifact(
  { type, name }: Pick<Candidate, 'type' | 'name'>,
  reason: string,
): Omit<AdoptedObject, 'copies'> {
  return {
    type,
    name,
    id: null,
    outcome: 'left',
    chosen_by: null,
    merged: [],
    kept: [],
    changes: [],
    reason,
  };
}

const ORDER: readonly AdoptedType[] = ['skill', 'agent', 'command', 'rule', 'hook', 'mcp-server'];

function byTypeAndName(one: AdoptedObject, other: AdoptedObject): number {
  const types = ORDER.indexOf(one.type) - ORDER.indexOf(other.type);
  if (types !== 0) return types;
  return one.name < other.name ? -1 : Number(one.name > other.name);
}
