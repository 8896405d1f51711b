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
  /** For a removal, the previous ones. */
  artifact_ids: string[];
  /** The user edited the file, or an entry in it. */
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
  /** Nothing is limited or runs differently; listed only by `catalog warnings`. */
  minor?: true;
}

/** With `--check` and `--dry-run`, planned changes. */
export interface TargetReport {
  /** `default` for the target of a plain command. */
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
  /** Rejections that do not fail the run: not selected, or served in an earlier version. */
  tolerated?: string[];
  /** Rejected artifacts whose last delivered copy stays. */
  kept_broken?: string[];
  fallbacks: FallbackArtifact[];
  warnings: Diagnostic[];
  budget?: ListingUse | undefined;
  pre_existing: { path: string; at?: string[]; artifact_id: string }[];
  claimed: { path: string; at?: string[]; claim: 'take-over' | 'recover' }[];
  backups?: { path: string; kept_at: string }[] | undefined;
  kept: { path: string; kept_at: string }[];
  put_back?: { path: string; at?: string[] }[] | undefined;
  /** Files that the adapter of their target never writes; not changed. */
  unowned?: string[] | undefined;
  changed_meanwhile?: string[] | undefined;
  replaced?: string[] | undefined;
  /** Ids that were enabled (`add`) or disabled (`remove`), on the first target of the folder only. */
  toggles_reset?: Toggles | undefined;
  unexpected_changes?: UnexpectedChange[] | undefined;
  denied?: DeniedArtifact[] | undefined;
  /** On the first target of the folder, and only if the run writes nothing. */
  executable_content?: ReportedContent[] | undefined;
  marketplace?: MarketplaceReport;
  /** Set if other targets ran. */
  error?: ErrorEnvelope;
}

export interface SyncReport {
  mode: 'sync' | 'check' | 'dry-run' | 'remove';
  targets: TargetReport[];
  /** Set if marketplaces ran. */
  error?: ErrorEnvelope;
  duration_ms: number;
}
