import type { Artifact } from '../artifact/types.ts';
import type { PinCandidate } from '../version/pin.ts';

export interface StoredArtifact {
  artifact: Artifact;
  ancestors: readonly string[];
  /** True if the version is stored but must never be served (specification, Inheritance rules 5). */
  is_refused: boolean;
}

export interface StoredHolder {
  kind: 'stored';
  layer: string;
  rank: number;
  live: boolean;
  overlays: boolean;
  /** Stored versions; empty if the layer has always rejected the artifact. */
  candidates: readonly PinCandidate[];
  /** True if a child may extend the artifact, because all readers of the child see it. */
  extendable: boolean;
  artifacts: ReadonlyMap<string, StoredArtifact>;
}
