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

export interface FileChange {
  path: string;
  change: Change;
  /** Ids of artifacts; of a removal, the previous ones. */
  artifact_ids: string[];
  /** True if the user edited the file or an entry in it. */
  edited?: true;
}

export interface SkippedArtifact {
  artifact_id: string;
  harness: string;
  reason: string;
}

export interface FallbackArtifact {
  artifact_id: string;
  reason: string;
  /** True if nothing is lost; only `catalog warnings` lists it. */
  minor?: true;
}

/** Report of a target; with `--check` and `--dry-run`, planned changes. */
export interface TargetReport {
  /** Name of the target; `default` without configuration. */
  target: string;
  directory: string;
  registry: string;
  harness: string;
  profile: string | undefined;
  artifacts: { id: string; type: string; version: string; layer: string; content_hash: string }[];
  moved: ArtifactMove[];
  changes: FileChange[];
  unchanged: number;
  skipped: SkippedArtifact[];
  rejected: Rejection[];
  /** Rejected artifacts that do not fail the run: not selected, or served in an earlier version. */
  tolerated?: string[];
  /** Rejected artifacts whose last copy stays. */
  kept_broken?: string[];
  fallbacks: FallbackArtifact[];
  warnings: Diagnostic[];
  budget?: ListingUse | undefined;
  pre_existing: { path: string; at?: string[]; artifact_id: string }[];
  claimed: { path: string; at?: string[]; claim: 'take-over' | 'recover' }[];
  backups?: { path: string; kept_at: string }[] | undefined;
  kept: { path: string; kept_at: string }[];
  put_back?: { path: string; at?: string[] }[] | undefined;
  /** Files that the adapter of their target never writes; they stay. */
  unowned?: string[] | undefined;
  changed_meanwhile?: string[] | undefined;
  replaced?: string[] | undefined;
  /** Ids that a command had enabled (`add`) or disabled (`remove`), on the first target of the folder. */
  toggles_reset?: Toggles | undefined;
  unexpected_changes?: UnexpectedChange[] | undefined;
  denied?: DeniedArtifact[] | undefined;
  /** Executable content, on the first target of the folder, if the run writes nothing. */
  executable_content?: ReportedContent[] | undefined;
  marketplace?: MarketplaceReport;
  /** Error of this target, if others ran. */
  error?: ErrorEnvelope;
}

export interface SyncReport {
  mode: 'sync' | 'check' | 'dry-run' | 'remove';
  targets: TargetReport[];
  /** Error of the targets, if marketplaces ran. */
  error?: ErrorEnvelope;
  duration_ms: number;
}
