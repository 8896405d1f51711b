import type { Artifact } from '../artifact/types.ts';
import type { Domain } from '../domain/read-domain.ts';
import type { Diagnostic } from '../lint/diagnostic.ts';

/** Why one artifact is not in the catalogue. The others of its layer are (SPEC-22). */
export interface Rejection {
  /** The artifact; the path of the file or folder where it belongs to none. */
  artifact_id: string;
  layer: string;
  /** Absent if it could not be read. */
  type?: string | undefined;
  /** A code of the error catalogue, or a plugin's. */
  code: string;
  /** One sentence for its author. */
  reason: string;
  /** Everything that was found in it, errors and warnings; the reason is one of the errors. */
  diagnostics: Diagnostic[];
}

/** What a set of layers adds up to, before anyone's view of it is composed. */
export interface DecidedCatalog {
  /** As served: children merged with what they extend. By id, then from the lowest layer up. */
  artifacts: Artifact[];
  /** The parent, as it is served, of each artifact that extends one. */
  parents: ReadonlyMap<Artifact, Artifact>;
  domains: Domain[];
  rejected: Rejection[];
  /** Warnings about what is in the catalogue. */
  advisories: Diagnostic[];
}
