import type { Capability, ManagedEntry } from './adapter.ts';

export interface PlannedSource {
  artifact_id: string;
  version: string;
  layer: string;
  content_hash: string;
}

export interface PlannedFile extends PlannedSource {
  /** Relative to the target, with `/`. Validated by `pathProblem`. */
  path: string;
  bytes: Uint8Array;
  executable: boolean;
  /** Identical for all artifacts that need it. Recorded with the first of them. */
  shared?: true;
}

export interface PlannedEntry extends PlannedSource {
  path: string;
  entry: ManagedEntry;
}

export interface PlanOptions {
  /** Either rejects two artifacts with one name, or adds their domains. */
  on_clash: 'fail' | 'qualify';
  /** Artifacts that clash with targets that are not planned now. */
  qualified?: readonly string[];
  /** Set if the workspace has targets that are not planned now. */
  has_other_targets?: boolean;
  /** By path. Only files that cannot import AGENTS.md or do not need to. */
  rules_imports?: ReadonlyMap<string, RulesImportState>;
}

/**
 * `own`: text of the user without the import. `linked`: the file is AGENTS.md, or the user's text
 * imports it.
 */
export type RulesImportState = 'own' | 'linked';

export interface UnsupportedArtifact {
  artifact_id: string;
  harness: string;
  /** Empty if the reason is specific to the artifact. */
  capabilities: Capability[];
  reason: string;
}

export interface FallbackUse {
  artifact_id: string;
  capability: Capability;
  reason: string;
  /** The behavior is unchanged: only `catalog warnings` lists the warning. */
  minor?: true;
}

export interface LeftOutArtifact {
  artifact_id: string;
  reason: string;
  reported?: true;
}

/** In the order of the artifacts. */
export interface Plan {
  files: PlannedFile[];
  entries: PlannedEntry[];
  /** The caller decides if unsupported artifacts fail the run (38, 50). */
  unsupported: UnsupportedArtifact[];
  fallbacks: FallbackUse[];
  /** Excluded by `target_harnesses`, which is not an error (DELIV-09). */
  left_out: LeftOutArtifact[];
}
