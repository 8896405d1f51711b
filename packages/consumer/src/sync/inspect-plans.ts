import type { Config } from '../config/types.ts';
import { readApprovals } from '../trust/approvals-file.ts';
import type { ContentPolicy } from '../trust/content-policy.ts';
import { inspectContent } from '../trust/inspect-content.ts';
import { type InspectedArtifact } from '../trust/inspected-content.ts';
import type { DirectoryPlan, TargetPlan } from './plan-directory.ts';

interface PlannedContent {
  plan: DirectoryPlan;
  planned: readonly TargetPlan[];
}

/** Artifacts of a run: those that change, and all. */
export interface RunContent {
  written: InspectedArtifact[];
  delivered: InspectedArtifact[];
}

/**
 * Inspects executable content. An artifact with several targets is listed once. `scope` limits the list to artifacts
 * that are written.
 */
export function inspectPlans(
  folders: readonly PlannedContent[],
  policy: ContentPolicy,
  { approvals_file }: Pick<Config, 'approvals_file'>,
  scope: 'delivered' | 'written',
): RunContent {
  const approvals = readApprovals(approvals_file);
  const delivered = new Map<string, InspectedArtifact>();
  const written = new Set<string>();
  for (const { plan, planned } of folders) {
    const ids = writtenIds(plan);
    for (const id of ids) written.add(id);
    const artifacts = new Set(planned.flatMap((target) => target.delivered ?? []));
    for (const artifact of artifacts) {
      if (scope === 'written' && !ids.has(artifact.id)) continue;
      const inspected = inspectContent(artifact, policy, approvals);
      if (inspected.capabilities.length === 0) continue;
      delivered.set(artifact.id, merge(delivered.get(artifact.id), inspected));
    }
  }
  const all = [...delivered.values()];
  return { written: all.filter(({ id }) => written.has(id)), delivered: all };
}

/** Combines the content for several harnesses, because a hook may change it differently. */
function merge(known: InspectedArtifact | undefined, other: InspectedArtifact): InspectedArtifact {
  if (known === undefined) return other;
  const byKey = new Map(
    [...known.capabilities, ...other.capabilities].map((one) => [one.key, one]),
  );
  return { ...known, capabilities: [...byKey.values()] };
}

/** Returns the artifacts that a run writes. A changed shared file counts for all its entries. */
function writtenIds({ files, shared }: DirectoryPlan): Set<string> {
  const rows = [
    ...files.writes.flatMap(({ file }) => file.owners),
    ...shared.filter(({ changed }) => changed).flatMap(({ entries }) => entries),
  ];
  return new Set(rows.map(({ id }) => id));
}
