import type { ErrorEnvelope } from '@catalog/contract/errors/catalog-error';
import type { Diagnostic } from '@catalog/core/lint/diagnostic';
import type { Rejection } from '@catalog/core/ingest/decide-snapshots';
import type { MarketplaceReport } from '../marketplace/report.ts';
import type { ListingUse } from '@catalog/harness/budget/measure-listing';
import type { Toggles } from '../lock/types.ts';
import type { DeniedArtifact } from '../trust/approve-content.ts';
import type { ReportedContent } from '../trust/inspected-content.ts';
import type { ArtifactMove } from './artifact-moves.ts';
import type { UnexpectedChange } from './find-unexpected-changes.ts';

export type Change = 'added' | 'changed' | 'removed';

/** One file (or one managed entry inside a shared file) that a run wrote, changed or removed. */
export interface FileChange {
  path: string;
  change: Change;
  /** The artifacts it came from; of a removal, those it had come from. */
  artifact_ids: string[];
  /** The user edited the file, or an entry in it, since catalog wrote it. */
  edited?: true;
}

/** An artifact left out on purpose, with the reason. */
export interface SkippedArtifact {
  artifact_id: string;
  harness: string;
  reason: string;
}

/** An artifact the harness takes otherwise than authored, with what happens instead. */
export interface FallbackArtifact {
  artifact_id: string;
  reason: string;
  /** Nothing is limited or runs otherwise: listed by `catalog warnings` only. */
  minor?: true;
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
  /** Artifacts that are new, gone, or not what the last run delivered. */
  moved: ArtifactMove[];
  changes: FileChange[];
  unchanged: number;
  skipped: SkippedArtifact[];
  rejected: Rejection[];
  /** Of the rejected, those that do not fail the run: not selected, or served in an earlier version. */
  tolerated?: string[];
  /** Of the rejected, those whose last delivered copy stays in place. */
  kept_broken?: string[];
  fallbacks: FallbackArtifact[];
  /** What lint warns of in the artifacts that were not rejected. */
  warnings: Diagnostic[];
  /** What of the harness's list of skills this takes; absent where no limit is published. */
  budget?: ListingUse | undefined;
  /** Files, and entries of shared files, that the user already had with the same content. */
  pre_existing: { path: string; at?: string[]; artifact_id: string }[];
  /** Files and entries that became catalog's in this run, by `--take-over` or `--recover`. */
  claimed: { path: string; at?: string[]; claim: 'take-over' | 'recover' }[];
  /** Copies of what `--take-over` took over. */
  backups?: { path: string; kept_at: string }[] | undefined;
  /** Files a person had edited by hand, with where their version was kept. */
  kept: { path: string; kept_at: string }[];
  /** Files and entries that have the user's version from before `--take-over` again. */
  put_back?: { path: string; at?: string[] }[] | undefined;
  /** Files that the lock lists, but that the adapter of their target never writes; left alone. */
  unowned?: string[] | undefined;
  /** Files that another program saved during the run, and that the run left alone. */
  changed_meanwhile?: string[] | undefined;
  /** Harnesses that were delivered to before and are not any more: their files go with this run. */
  replaced?: string[] | undefined;
  /**
   * Toggles that no longer apply, and that changed what the folder holds: ids that were enabled (`add`)
   * or disabled (`remove`). On the first target of the folder only.
   */
  toggles_reset?: Toggles | undefined;
  /** Rewritten and downgraded artifacts that this run accepts. */
  unexpected_changes?: UnexpectedChange[] | undefined;
  /** Artifacts that a policy leaves out. */
  denied?: DeniedArtifact[] | undefined;
  /**
   * Executable content of the artifacts that a run would write; on the first target of the folder, and
   * only if the run writes nothing.
   */
  executable_content?: ReportedContent[] | undefined;
  /** Of a marketplace: its plugins, and the commands around it. */
  marketplace?: MarketplaceReport;
  /** Why it failed, where others ran all the same. */
  error?: ErrorEnvelope;
}

export interface SyncReport {
  mode: 'sync' | 'check' | 'dry-run' | 'remove';
  targets: TargetReport[];
  /** Why the workspace targets failed, where marketplaces ran all the same. */
  error?: ErrorEnvelope;
  duration_ms: number;
}
