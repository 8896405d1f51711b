import type { Diagnostic } from './diagnostic.ts';

/** What a run of lint comes to. */
export interface LintSummary {
  errors: number;
  warnings: number;
  /** Artifacts that were looked at, with and without findings. */
  artifacts: number;
}

/** What every format may be told about the run. */
export interface ReportOptions {
  /** Artifacts that were looked at. */
  artifacts: number;
  /** The path to print for a finding; its file, relative to the layer, when absent. */
  path?: (diagnostic: Diagnostic) => string;
}

export function summarize(diagnostics: readonly Diagnostic[], artifacts: number): LintSummary {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: diagnostics.length - errors, artifacts };
}

export function pathOf(diagnostic: Diagnostic, options: ReportOptions): string {
  return options.path?.(diagnostic) ?? diagnostic.file;
}
