import { compareBytes } from '../artifact/compare-bytes.ts';
import type { Artifact } from '../artifact/types.ts';

/**
 * One artifact for every id: that of the highest layer which has it, sorted by id in byte order.
 * `precedence` names the layers of the view, lowest first; what is in no such layer is not in it.
 */
export function effectiveView(
  artifacts: readonly Artifact[],
  precedence: readonly string[],
): Artifact[] {
  const ranks = new Map(precedence.map((layer, rank) => [layer, rank]));
  const winners = new Map<string, { artifact: Artifact; rank: number }>();
  for (const artifact of artifacts) {
    const rank = ranks.get(artifact.layer);
    if (rank === undefined) continue;
    const winner = winners.get(artifact.id);
    if (winner === undefined || rank > winner.rank) winners.set(artifact.id, { artifact, rank });
  }
  return [...winners.values()]
    .map(({ artifact }) => artifact)
    .sort((a, b) => compareBytes(a.id, b.id));
}
