import type { Capability, ManagedEntry } from './adapter.ts';

export interface PlannedSource {
  artifact_id: string;
  version: string;
  layer: string;
  content_hash: string;
}

export interface PlannedFile extends PlannedSource {
  /** Path relative to the target, with `/`, checked by `pathProblem`. */
  path: string;
  bytes: Uint8Array;
  executable: boolean;
  /** True if all artifacts that need the file write the same content. It is recorded with the first of them. */
  shared?: true;
}

export interface PlannedEntry extends PlannedSource {
  path: string;
  entry: ManagedEntry;
}

export interface PlanOptions {
  /** Handling of two artifacts with one name: rejected, or qualified with their domains. */
  on_clash: 'fail' | 'qualify';
  /** Ids that clash with targets that are not planned now. */
  qualified?: readonly string[];
  /** True if the workspace has targets that are not planned now. */
  has_other_targets?: boolean;
  /** Files that cannot import AGENTS.md or need not, by path. */
  rules_imports?: ReadonlyMap<string, RulesImportState>;
}

/**
 * State of a rules file. `own`: text of the user without the import. `linked`: the file is AGENTS.md, or imports it.
 */
export type RulesImportState = 'own' | 'linked';

export interface UnsupportedArtifact {
  artifact_id: string;
  harness: string;
  /** Affected features; empty if the reason is specific to the artifact. */
  capabilities: Capability[];
  reason: string;
}

export interface FallbackUse {
  artifact_id: string;
  capability: Capability;
  reason: string;
  /** True if the behavior is unchanged; only `catalog warnings` lists the warning. */
  minor?: true;
}

export interface LeftOutArtifact {
  artifact_id: string;
  reason: string;
  reported?: true;
}

/** Plan of a target, in the order of the artifacts. */
export interface Plan {
  files: PlannedFile[];
  entries: PlannedEntry[];
  /** Unsupported artifacts; the caller decides whether they fail the run (SPEC-38, SPEC-50). */
  unsupported: UnsupportedArtifact[];
  fallbacks: FallbackUse[];
  /** Artifacts that `target_harnesses` excludes, which is not an error (DELIV-09). */
  left_out: LeftOutArtifact[];
}
