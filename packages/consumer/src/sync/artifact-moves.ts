import type { LockedArtifact } from '../lock/types.ts';

export interface ArtifactMove {
  id: string;
  /** Previous version; undefined for a new artifact. */
  from: string | undefined;
  /** New version; undefined for a removed artifact. */
  to: string | undefined;
}

/** Lists changed artifacts. Hashes are compared too, because a folder may change an artifact without a new version. */
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
