import type { LockedArtifact } from '../lock/types.ts';

/** One artifact that is not what it was. */
export interface ArtifactMove {
  id: string;
  /** Undefined for one that was not there. */
  from: string | undefined;
  /** Undefined for one that is gone. */
  to: string | undefined;
}

/** What becomes of the artifacts of one target; a folder may change one without raising its version. */
export function listMoves(
  before: readonly LockedArtifact[],
  after: readonly LockedArtifact[],
): ArtifactMove[] {
  const old = new Map(before.map((row) => [row.id, row]));
  const moves: ArtifactMove[] = [];
  for (const { id, version, content_hash } of after) {
    const was = old.get(id);
    old.delete(id);
    if (was?.content_hash !== content_hash) moves.push({ id, from: was?.version, to: version });
  }
  for (const { id, version } of old.values()) moves.push({ id, from: version, to: undefined });
  return moves;
}
