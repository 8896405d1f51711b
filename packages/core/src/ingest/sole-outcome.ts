import type { IngestReport } from '@catalog/contract/records/ingest';

/**
 * Whether an ingest found nothing but versions that changed, or nothing but lint failures: then
 * asking for it has failed (SPEC-19). Anything taken, known, removed or rejected beside them is
 * an outcome of its own.
 */
export function soleOutcome(report: IngestReport): 'conflicts' | 'lint_failures' | undefined {
  const { accepted, idempotent, removed, rejected, conflicts, lint_failures } = report;
  if (accepted + idempotent + removed + rejected.length > 0) return undefined;
  if (conflicts.length > 0 && lint_failures.length === 0) return 'conflicts';
  if (lint_failures.length > 0 && conflicts.length === 0) return 'lint_failures';
  return undefined;
}
