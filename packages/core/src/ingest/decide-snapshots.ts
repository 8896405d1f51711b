import { compareBytes } from '../artifact/compare-bytes.ts';
import type { LayerSnapshot } from '../layer/types.ts';
import { compareDiagnostics } from '../lint/diagnostic.ts';
import type { HarnessCapabilities } from '../lint/lint-artifacts.ts';
import { lintDomains } from '../lint/lint-domains.ts';
import { decideEntries, type Rejected } from './decide-entries.ts';
import { lintEntries } from './lint-entries.ts';
import { readSnapshots } from './read-snapshots.ts';
import type { DecidedCatalog, Rejection } from './types.ts';

export type { DecidedCatalog, Rejection } from './types.ts';

/**
 * Everything ingest decides about a set of layers, lowest precedence first: what is in the catalogue,
 * what is not and why. Each artifact stands or falls by itself, and a folder and a server that hold
 * the same files come to the same decisions (decisions 22 and 48).
 */
export function decideSnapshots(
  snapshots: readonly LayerSnapshot[],
  options: { capabilities: HarnessCapabilities },
): DecidedCatalog {
  const known_ids = new Set(snapshots.flatMap(({ packages }) => packages.map(({ id }) => id)));
  const read = readSnapshots(snapshots);
  const linter = lintEntries(read.entries, { known_ids, ...options });
  const decisions = decideEntries(read.entries, linter);
  const accepted = decisions.filter((decision) => decision.kind === 'accepted');
  const rejected = decisions.filter((decision) => decision.kind === 'rejected').map(toRejection);
  return {
    artifacts: accepted
      .sort((a, b) => compareBytes(a.artifact.id, b.artifact.id) || a.entry.rank - b.entry.rank)
      .map(({ artifact }) => artifact),
    domains: read.domains,
    rejected: inOrder([...read.rejected, ...rejected], snapshots),
    advisories: [
      ...accepted.flatMap(({ findings }) => findings),
      ...lintDomains(read.domains, { known_ids }),
    ].sort(compareDiagnostics),
  };
}

function toRejection({ entry, code, reason, findings }: Rejected): Rejection {
  const { id, layer } = entry.artifact;
  return { artifact_id: id, layer, code, reason, diagnostics: findings };
}

/** By artifact, then from the lowest layer up. */
function inOrder(rejected: Rejection[], snapshots: readonly LayerSnapshot[]): Rejection[] {
  const ranks = new Map(snapshots.map(({ layer }, rank) => [layer, rank]));
  const rankOf = ({ layer }: Rejection): number => ranks.get(layer) ?? 0;
  return rejected.sort(
    (a, b) => compareBytes(a.artifact_id, b.artifact_id) || rankOf(a) - rankOf(b),
  );
}
