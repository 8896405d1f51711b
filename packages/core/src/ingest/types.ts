import type { Artifact } from '../artifact/types.ts';
import type { Domain } from '../domain/read-domain.ts';
import type { Diagnostic } from '../lint/diagnostic.ts';

/** The other artifacts of the layer are accepted (SPEC-22). */
export interface Rejection {
  /** Artifact id, or the path of the file or folder if it belongs to no artifact. */
  artifact_id: string;
  layer: string;
  type?: string | undefined;
  code: string;
  reason: string;
  diagnostics: Diagnostic[];
}

export interface DecidedCatalog {
  /** Merged with their parents. By id, then from the lowest layer up. */
  artifacts: Artifact[];
  parents: ReadonlyMap<Artifact, Artifact>;
  domains: Domain[];
  rejected: Rejection[];
  advisories: Diagnostic[];
}
