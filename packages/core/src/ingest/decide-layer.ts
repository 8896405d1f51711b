import { compareBytes } from '../artifact/compare-bytes.ts';
import type { Artifact, SandboxProfile } from '../artifact/types.ts';
import type { Domain } from '../domain/read-domain.ts';
import { compareDiagnostics, type Diagnostic } from '../lint/diagnostic.ts';
import type { KnownIds, LintLimits, TypeProvider } from '../lint/context.ts';
import type { NamedParents } from '../extends/resolve-extends.ts';
import { lintArtifacts, type HarnessCapabilities } from '../lint/lint-artifacts.ts';
import { lintDomains } from '../lint/lint-domains.ts';
import { decideEntries, toRejection, type Accepted, type Kept } from './decide-entries.ts';
import { addUnreadableHolders } from './add-unreadable-holders.ts';
import { ledgerKey } from './ledger-key.ts';
import { lintEntries } from './lint-entries.ts';
import type { Problem } from './problem.ts';
import type { Entry, SnapshotReading } from './read-snapshots.ts';
import type { StoredHolder } from './stored-holder.ts';
import { createQuotaReserver, type RemainingQuota } from './remaining-quota.ts';
import type { Rejection } from './types.ts';

/** Check of a plugin. Returns a code and a reason, or undefined to accept the artifact. */
export type ArtifactCheck = (
  artifact: Artifact,
) => { code: string; message: string; fix: string } | undefined;

export interface IngestPolicy {
  /** True if only content with sensitivity `low` is served (specification, Inheritance rules 3). */
  public_mode: boolean;
  sandbox: { enforced: boolean; profiles: readonly SandboxProfile[] };
  checks: readonly ArtifactCheck[];
}

export interface LayerInput {
  reading: SnapshotReading;
  /** True if `reading` contains the whole layer. */
  complete: boolean;
  stored: ReadonlyMap<string, readonly StoredHolder[]>;
  /** Hashes of all versions that the layer has ever ingested, by `ledgerKey`. */
  ledger: ReadonlyMap<string, string>;
  /** Versions that an administrator purged, by `ledgerKey`. */
  purged: ReadonlySet<string>;
  served: KnownIds;
  known_ids: KnownIds;
  policy: IngestPolicy;
  room: RemainingQuota;
  isNamed(layer: string): boolean;
  named_parents: NamedParents;
  capabilities: HarnessCapabilities;
  type_providers: ReadonlyMap<string, TypeProvider>;
  /** Size limits of lint; if absent, its defaults apply. */
  limits?: LintLimits;
}

/** Rejected artifact. `awaits` contains the ids whose arrival triggers a retry (SPEC-56). */
export interface LayerRejection extends Rejection {
  awaits: readonly string[];
}

export interface LayerDecision {
  /** New versions, each after its dependencies. */
  accepted: Accepted[];
  kept: Kept[];
  rejected: LayerRejection[];
  domains: Domain[];
  advisories: Diagnostic[];
}

/**
 * Decides which artifacts of a layer to accept. Versions must not contradict the ledger, and the operator's policy
 * applies. The caller reads the relevant stored data beforehand.
 */
export function decideLayer(question: LayerInput): LayerDecision {
  const { reading, stored, ledger, purged, policy, capabilities, type_providers } = question;
  const own_ids = new Set(reading.entries.map(({ artifact }) => artifact.id));
  for (const { artifact_id } of reading.rejected) own_ids.add(artifact_id);
  const known_ids = either(own_ids, question.known_ids);
  const { limits } = question;
  const context = {
    known_ids,
    capabilities,
    type_providers,
    ...(limits === undefined ? {} : { limits }),
  };
  const decisions = decideEntries(reading.entries, lintEntries(reading.entries, context), {
    stored: addUnreadableHolders(stored, reading.rejected, () => reading.entries[0]?.rank ?? 0),
    isKept: (entry) => isKept(entry, stored, ledger),
    isServed: ({ artifact }) => question.served.has(artifact.id),
    object: (artifact, entry) => checkPolicy(artifact, entry, { ledger, purged }, policy),
    takeRoom: createQuotaReserver(question.room),
    isNamed: (layer) => question.isNamed(layer),
    named_parents: question.named_parents,
    takes_refused: true,
  });
  const accepted = decisions.filter((decision) => decision.kind === 'accepted');
  const refused = decisions.filter((decision) => decision.kind === 'rejected');
  return {
    accepted,
    kept: decisions.filter((decision) => decision.kind === 'kept'),
    rejected: [
      ...reading.rejected.map((rejection) => ({ ...rejection, awaits: [] })),
      ...refused.map((decision) => ({
        ...toRejection(decision),
        awaits: awaitsOf(decision.entry.artifact, context),
      })),
    ].sort((a, b) => compareBytes(a.artifact_id, b.artifact_id)),
    domains: reading.domains,
    advisories: [
      ...accepted.flatMap(({ findings }) => findings),
      ...domainAdvice(question, own_ids),
    ].sort(compareDiagnostics),
  };
}

function either(own: ReadonlySet<string>, others: KnownIds): KnownIds {
  return { has: (id) => own.has(id) || others.has(id) };
}

/** Returns true for a version that was ingested before. It keeps its content even if its parent changed (VER-14). */
function isKept(
  { artifact, rank }: Entry,
  stored: LayerInput['stored'],
  ledger: LayerInput['ledger'],
): boolean {
  const { id, version, authored_hash } = artifact;
  if (ledger.get(ledgerKey(id, version)) !== authored_hash) return false;
  const own = stored.get(id)?.find((holder) => holder.rank === rank);
  return own?.candidates.some((candidate) => candidate.version === version) === true;
}

function checkPolicy(
  artifact: Artifact,
  entry: Entry,
  { ledger, purged }: Pick<LayerInput, 'ledger' | 'purged'>,
  policy: IngestPolicy,
): Problem | undefined {
  const { fields, id, version } = artifact;
  const sensitivity = fields.sensitivity ?? 'low';
  if (policy.public_mode && sensitivity !== 'low') {
    return {
      code: 'ingest.public_mode_rejects_sensitive',
      message: `Its sensitivity is ${sensitivity}, but a public registry accepts only low.`,
      fix: 'Publish it to a registry that authenticates callers, or lower the sensitivity.',
      place: 'file',
    };
  }
  const profile = fields.sandbox_profile;
  const { enforced, profiles } = policy.sandbox;
  if (enforced && profile !== undefined && !profiles.includes(profile)) {
    return {
      code: 'ingest.sandbox_profile_unenforceable',
      message: `It requires the sandbox profile ${profile}, but this host can enforce ${profiles.join(', ') || 'none'}.`,
      fix: 'Use a profile the host offers, or ask the operator to add this one to CATALOG_HOST_SANDBOXES.',
      place: 'file',
    };
  }
  if (purged.has(ledgerKey(id, version))) {
    return {
      code: 'ingest.immutable_violation',
      message: `An administrator purged version ${version}.`,
      fix: 'Remove the content that must not be published, and increase the version.',
      place: 'file',
    };
  }
  const before = ledger.get(ledgerKey(id, version));
  if (before !== undefined && before !== entry.artifact.authored_hash) {
    return {
      code: 'ingest.immutable_violation',
      message: `Version ${version} is already published with different content.`,
      fix: 'Increase the version; published versions are immutable.',
      place: 'file',
    };
  }
  for (const check of policy.checks) {
    const problem = check(artifact);
    if (problem !== undefined) return { ...problem, place: 'file' };
  }
  return undefined;
}

function awaitsOf(artifact: Artifact, context: Parameters<typeof lintArtifacts>[1]): string[] {
  const missed = new Set<string>();
  const parent = artifact.fields.extends?.replace(/@.*$/s, '');
  if (parent !== undefined && parent !== '') missed.add(parent);
  const known_ids: KnownIds = {
    has: (id) => {
      if (context.known_ids.has(id)) return true;
      missed.add(id);
      return false;
    },
  };
  lintArtifacts([artifact], { ...context, known_ids });
  return [...missed];
}

/** Reports imports without a match, for a single complete layer only: other layers might have a match. */
function domainAdvice(
  { reading, complete, stored }: LayerInput,
  own_ids: ReadonlySet<string>,
): Diagnostic[] {
  if (!complete) return [];
  const advice = lintDomains(reading.domains, { known_ids: own_ids });
  return stored.size === 0
    ? advice
    : advice.filter(({ code }) => code !== 'lint.domain_import_unresolved');
}
