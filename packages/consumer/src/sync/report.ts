import type { Diagnostic } from '@catalog/core/lint/diagnostic';
import type { Rejection } from '@catalog/core/ingest/decide-snapshots';

export type Change = 'added' | 'changed' | 'removed';

/** One file (or one managed entry inside a shared file) that a run wrote, changed or removed. */
export interface FileChange {
  path: string;
  change: Change;
  /** The artifacts it came from; empty for a removal whose owner is gone. */
  artifact_ids: string[];
}

/** An artifact left out on purpose, with the reason. */
export interface SkippedArtifact {
  artifact_id: string;
  harness: string;
  reason: string;
}

/** What one run did, or under `--check` and `--dry-run` would do, to one target. */
export interface TargetReport {
  /** `targets[].id`, or `default` for the target of the plain command. */
  target: string;
  /** Absolute. */
  directory: string;
  registry: string;
  harness: string;
  profile: string | undefined;
  /** Artifacts selected for this target. */
  artifacts: { id: string; type: string; version: string; layer: string; content_hash: string }[];
  changes: FileChange[];
  unchanged: number;
  skipped: SkippedArtifact[];
  rejected: Rejection[];
  /** Lint advisories and capability fallbacks. */
  warnings: Diagnostic[];
  /** Files a person had edited by hand, with where their version was kept. */
  kept: { path: string; kept_at: string }[];
}

export interface SyncReport {
  mode: 'sync' | 'check' | 'dry-run' | 'remove';
  targets: TargetReport[];
  duration_ms: number;
}
