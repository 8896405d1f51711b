import { compareBytes } from '../artifact/compare-bytes.ts';
import type { Artifact } from '../artifact/types.ts';

/**
 * Selects one artifact per id, from the highest layer, in byte order. `precedence` lists the layers, lowest first;
 * other layers are ignored.
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
