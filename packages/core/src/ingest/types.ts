import type { Artifact } from '../artifact/types.ts';
import type { Domain } from '../domain/read-domain.ts';
import type { Diagnostic } from '../lint/diagnostic.ts';

/** Rejected artifact. It does not affect others of the layer (SPEC-22). */
export interface Rejection {
  /** Id of the artifact, or the path of a file or folder outside of artifacts. */
  artifact_id: string;
  layer: string;
  type?: string | undefined;
  code: string;
  reason: string;
  diagnostics: Diagnostic[];
}

export interface DecidedCatalog {
  /** Artifacts, merged with their parents, by id and then from the lowest layer up. */
  artifacts: Artifact[];
  parents: ReadonlyMap<Artifact, Artifact>;
  domains: Domain[];
  rejected: Rejection[];
  advisories: Diagnostic[];
}
