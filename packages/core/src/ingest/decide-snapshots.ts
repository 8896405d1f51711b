import { compareBytes } from '../artifact/compare-bytes.ts';
import type { LayerSnapshot } from '../layer/types.ts';
import { compareDiagnostics } from '../lint/diagnostic.ts';
import type { HarnessCapabilities } from '../lint/lint-artifacts.ts';
import { lintDomains } from '../lint/lint-domains.ts';
import { decideEntries, FOLDER, toRejection } from './decide-entries.ts';
import { addUnreadableHolders } from './add-unreadable-holders.ts';
import { lintEntries } from './lint-entries.ts';
import { readSnapshots } from './read-snapshots.ts';
import type { DecidedCatalog, Rejection } from './types.ts';

export type { DecidedCatalog, Rejection } from './types.ts';

/**
 * Decides the artifacts of several layers, lowest precedence first. A folder and a server with the same files decide
 * alike (SPEC-22, SPEC-48).
 */
export function decideSnapshots(
  snapshots: readonly LayerSnapshot[],
  options: { capabilities: HarnessCapabilities },
): DecidedCatalog {
  const known_ids = new Set(snapshots.flatMap(({ packages }) => packages.map(({ id }) => id)));
  const read = readSnapshots(snapshots);
  const linter = lintEntries(read.entries, { known_ids, ...options });
  const ranks = new Map(snapshots.map(({ layer }, rank) => [layer, rank]));
  const rankOf = (layer: string): number => ranks.get(layer) ?? 0;
  const isServed = ({ layer }: Rejection): boolean => snapshots[rankOf(layer)]?.overlay !== true;
  const decisions = decideEntries(read.entries, linter, {
    ...FOLDER,
    // Only the overlay itself may extend its artifacts.
    stored: addUnreadableHolders(FOLDER.stored, read.rejected.filter(isServed), rankOf),
  });
  const accepted = decisions.filter((decision) => decision.kind === 'accepted');
  const rejected = decisions.filter((decision) => decision.kind === 'rejected').map(toRejection);
  return {
    artifacts: accepted
      .sort((a, b) => compareBytes(a.artifact.id, b.artifact.id) || a.entry.rank - b.entry.rank)
      .map(({ artifact }) => artifact),
    parents: new Map(
      accepted.flatMap(({ artifact, parent }) =>
        parent === undefined ? [] : [[artifact, parent]],
      ),
    ),
    domains: read.domains,
    rejected: [...read.rejected, ...rejected].sort(
      (a, b) => compareBytes(a.artifact_id, b.artifact_id) || rankOf(a.layer) - rankOf(b.layer),
    ),
    advisories: [
      ...accepted.flatMap(({ findings }) => findings),
      ...lintDomains(read.domains, { known_ids }),
    ].sort(compareDiagnostics),
  };
}
