import type { Diagnostic } from './diagnostic.ts';
import { summarize, type ReportOptions } from './summary.ts';

/** For programs: every finding and the sum, as they are. */
export function formatJson(diagnostics: readonly Diagnostic[], options: ReportOptions): string {
  const summary = summarize(diagnostics, options.artifacts);
  return `${JSON.stringify({ diagnostics, summary }, undefined, 2)}\n`;
}
