import type { Capability, ManagedEntry } from './adapter.ts';

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
  /** The same for every artifact that needs it; the first of them stands for all. */
  shared?: true;
}

/** An entry to be kept in a file that also belongs to the person. */
export interface PlannedEntry extends PlannedSource {
  path: string;
  entry: ManagedEntry;
}

/** How to plan. */
export interface PlanOptions {
  /** Two artifacts with one name: refuse both, or name each after its domain. */
  on_clash: 'fail' | 'qualify';
  /** Artifacts that are named after their domains from the start: what is in their way is not planned now. */
  qualified?: readonly string[];
  /** The workspace has targets that are not planned now. */
  has_other_targets?: boolean;
  /** By path, the files that cannot be given an import of AGENTS.md, or do not need one. */
  rules_imports?: ReadonlyMap<string, RulesImportState>;
}

/** `own`: text of the user without the import. `linked`: the file is AGENTS.md, or the user's text imports it. */
export type RulesImportState = 'own' | 'linked';

/** An artifact the harness cannot take, and why. */
export interface UnsupportedArtifact {
  artifact_id: string;
  harness: string;
  /** The cells of the matrix that forbid it; empty where the reason is the artifact's own. */
  capabilities: Capability[];
  reason: string;
}

/** An artifact the harness takes otherwise than authored. */
export interface FallbackUse {
  artifact_id: string;
  capability: Capability;
  /** What happens instead. */
  reason: string;
  /** Nothing is limited or runs otherwise: listed by `catalog warnings` only. */
  minor?: true;
}

/** An artifact that is not meant for the harness. */
export interface LeftOutArtifact {
  artifact_id: string;
  reason: string;
  /** A run reports it as skipped. */
  reported?: true;
}

/** Everything a harness shall hold of some artifacts, in the order they were given. */
export interface Plan {
  files: PlannedFile[];
  entries: PlannedEntry[];
  /** What the harness cannot take; whether that fails the run is the caller's decision (38, 50). */
  unsupported: UnsupportedArtifact[];
  /** What it takes otherwise than authored. */
  fallbacks: FallbackUse[];
  /** What `target_harnesses` keeps from it: no error (DELIV-09). */
  left_out: LeftOutArtifact[];
}
