import type { AuthoredPackage } from '../artifact/types.ts';

/** A `DOMAIN.md` as authored. `path` is that of the domain and never empty. */
export interface AuthoredDomain {
  path: string;
  bytes: Uint8Array;
}

export interface RefusedEntry {
  path: string;
  code: 'ingest.source_unreachable' | 'ingest.invalid_artifact';
  reason: string;
  /** Id of the package, if any, which is rejected. */
  artifact_id?: string;
}

export interface LayerSnapshot {
  layer: string;
  packages: AuthoredPackage[];
  domains: AuthoredDomain[];
  refused: RefusedEntry[];
  /** True for the workspace overlay, which replaces whole artifacts and never collides. */
  overlay?: boolean;
}
