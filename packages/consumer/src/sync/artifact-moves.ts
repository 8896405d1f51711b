import type { LockedArtifact } from '../lock/types.ts';

export interface ArtifactMove {
  id: string;
  /** Undefined if the artifact is new. */
  from: string | undefined;
  /** Undefined if the artifact was removed. */
  to: string | undefined;
}

/** Compares hashes as well, because a folder may change an artifact without a new version. */
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
