import type { Artifact } from '../artifact/types.ts';
import type { PinCandidate } from '../version/pin.ts';

export interface StoredArtifact {
  artifact: Artifact;
  ancestors: readonly string[];
  /** True if the version is stored but never served (specification, Inheritance rules 5). */
  is_refused: boolean;
}

export interface StoredHolder {
  kind: 'stored';
  layer: string;
  rank: number;
  live: boolean;
  overlays: boolean;
  /** Empty if the layer has only ever rejected the artifact. */
  candidates: readonly PinCandidate[];
  /** True if a child may extend it; false if it is hidden from some readers of the child. */
  extendable: boolean;
  artifacts: ReadonlyMap<string, StoredArtifact>;
}
