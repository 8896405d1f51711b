import type { IngestReport } from '@catalog/contract/records/ingest';

/** Returns the failure of an ingest whose only results are changed versions, or only lint failures (SPEC-19). */
export function soleOutcome(report: IngestReport): 'conflicts' | 'lint_failures' | undefined {
  const { accepted, idempotent, removed, rejected, conflicts, lint_failures } = report;
  if (accepted + idempotent + removed + rejected.length > 0) return undefined;
  if (conflicts.length > 0 && lint_failures.length === 0) return 'conflicts';
  if (lint_failures.length > 0 && conflicts.length === 0) return 'lint_failures';
  return undefined;
}
