import type { Diagnostic } from './diagnostic.ts';

export interface LintSummary {
  errors: number;
  warnings: number;
  artifacts: number;
}

export interface ReportOptions {
  artifacts: number;
  /** Returns the path to print for a finding; the default is its file, relative to the layer. */
  path?: (diagnostic: Diagnostic) => string;
}

export function summarize(diagnostics: readonly Diagnostic[], artifacts: number): LintSummary {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: diagnostics.length - errors, artifacts };
}

export function pathOf(diagnostic: Diagnostic, options: ReportOptions): string {
  return options.path?.(diagnostic) ?? diagnostic.file;
}
