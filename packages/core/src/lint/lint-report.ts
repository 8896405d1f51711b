import type { Diagnostic } from './diagnostic.ts';
import { pathOf, summarize, type LintSummary, type ReportOptions } from './summary.ts';

export interface LintReport {
  diagnostics: Diagnostic[];
  summary: LintSummary;
}

export function toLintReport(
  diagnostics: readonly Diagnostic[],
  options: ReportOptions,
): LintReport {
  return {
    diagnostics: diagnostics.map((found) => ({ ...found, file: pathOf(found, options) })),
    summary: summarize(diagnostics, options.artifacts),
  };
}
