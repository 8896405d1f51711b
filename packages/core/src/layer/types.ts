import type { AuthoredPackage } from '../artifact/types.ts';

/** One `DOMAIN.md` as authored. `path` is the domain's path, never empty. */
export interface AuthoredDomain {
  path: string;
  bytes: Uint8Array;
}

/** A file or folder of a layer that could not be taken, and why. */
export interface RefusedEntry {
  /** Relative to the layer root. */
  path: string;
  /** A code of the error catalogue. */
  code: 'ingest.source_unreachable' | 'ingest.invalid_artifact';
  reason: string;
  /** The package it belongs to, where there is one: that artifact is rejected. */
  artifact_id?: string;
}

/** Everything one layer holds at one moment: what ingest and the folder registry start from. */
export interface LayerSnapshot {
  layer: string;
  packages: AuthoredPackage[];
  domains: AuthoredDomain[];
  refused: RefusedEntry[];
  /** The workspace overlay replaces whole artifacts and never collides. */
  overlay?: boolean;
}
