import type { IngestJob, IngestReport } from '@catalog/contract/records/ingest';
import type { IngestRemark } from '@catalog/contract/records/ingest-remark';
import { quoteServer } from '@catalog/sdk/quote-server';
import { progressBar } from '../../output/progress.ts';
import { styled, type Line, type Style } from '../../output/text.ts';

const SHOWN_REMARKS = 20;

export function ingestProgress({ state, progress }: IngestJob): string {
  if (state === 'queued') return 'queued';
  const { phase, done, total } = progress;
  return total === 0
    ? `ingesting: ${phase}`
    : `${progressBar(done, total)} ${phase} ${done} of ${total}`;
}

export function renderReport(report: IngestReport, registry: string): Line[] {
  const { layer, accepted, idempotent, removed } = report;
  const conflicts = report.conflicts.map(({ artifact_id, version }): IngestRemark => ({
    artifact_id,
    code: 'ingest.immutable_violation',
    reason: `Version ${version} was already published with different content.`,
    fix: 'Increase the version. Published versions are immutable.',
  }));
  const remarks = [
    ...remarkLines('red', 'rejected', [...conflicts, ...report.lint_failures, ...report.rejected]),
    ...remarkLines('yellow', 'warning', [...report.advisories, ...report.embedding_failures]),
  ];
  return [
    [styled('bold', layer), `: ${accepted} new, ${idempotent} unchanged, ${removed} removed`],
    ...(remarks.length === 0 ? [] : [`The registry at ${registry} reports:`]),
    ...remarks,
  ];
}

export function countRejected({ conflicts, lint_failures, rejected }: IngestReport): number {
  const remarks = [...conflicts, ...lint_failures, ...rejected];
  return new Set(remarks.map(({ artifact_id }) => artifact_id)).size;
}

function remarkLines(style: Style, word: string, remarks: readonly IngestRemark[]): Line[] {
  const lines = remarks.slice(0, SHOWN_REMARKS).flatMap((remark): Line[] => {
    const { artifact_id, reason, file, line, fix } = remark;
    const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `;
    return [
      ['  ', styled(style, word), ` ${artifact_id}: ${quoteServer(reason)}`],
      ...(fix === undefined ? [] : [`    ${place}${quoteServer(fix)}`]),
    ];
  });
  const more = remarks.length - SHOWN_REMARKS;
  return more > 0 ? [...lines, `and ${more} more; to list all, add --json`] : lines;
}
