import type { JsonEntry } from './adapter.ts';

/** The artifact a planned file or entry comes from, exactly. */
export interface PlannedSource {
  artifact_id: string;
  version: string;
  layer: string;
  content_hash: string;
}

/** A file to be written. */
export interface PlannedFile extends PlannedSource {
  /** Relative to the target, with `/`, checked by `pathProblem`. */
  path: string;
  bytes: Uint8Array;
  executable: boolean;
}

/** An entry to be kept in a file that also belongs to the person. */
export interface PlannedEntry extends PlannedSource {
  path: string;
  entry: JsonEntry;
}

/** How to plan. */
export interface PlanOptions {
  /** Two artifacts with one name: refuse both, or name each after its domain. */
  on_clash: 'fail' | 'qualify';
}
