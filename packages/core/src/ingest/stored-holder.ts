import type { Artifact } from '../artifact/types.ts';
import type { PinCandidate } from '../version/pin.ts';

/** A stored version as served, with the ids of everything merged into it, nearest first. */
export interface StoredArtifact {
  artifact: Artifact;
  ancestors: readonly string[];
  /** Stored but never served (specification, Inheritance rules 5). */
  is_refused: boolean;
}

/** What a registry keeps of one id in one layer, as far as a decision may depend on it. */
export interface StoredHolder {
  kind: 'stored';
  /** The layer's id. */
  layer: string;
  /** The place of the layer; a higher one takes precedence. */
  rank: number;
  /** It is served now. */
  live: boolean;
  /** What is served extends this very id. */
  overlays: boolean;
  /** Every version the layer keeps; none where the layer has only ever rejected the artifact. */
  candidates: readonly PinCandidate[];
  /** Whether a child may extend it; false if some readers of the child would not see it. */
  extendable: boolean;
  /** The versions some child may mean, by version. */
  artifacts: ReadonlyMap<string, StoredArtifact>;
}
