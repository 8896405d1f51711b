import type { Diagnostic } from './diagnostic.ts';
import { pathOf, type ReportOptions } from './summary.ts';

export function formatGithub(diagnostics: readonly Diagnostic[], options: ReportOptions): string {
  return diagnostics.map((diagnostic) => `${toCommand(diagnostic, options)}\n`).join('');
}

function toCommand(diagnostic: Diagnostic, options: ReportOptions): string {
  const { severity, line, column, code, message, fix } = diagnostic;
  const properties = [
    `file=${escapeProperty(pathOf(diagnostic, options))}`,
    `line=${line}`,
    `col=${column}`,
    `title=${escapeProperty(code)}`,
  ];
  return `::${severity} ${properties.join(',')}::${escapeData(`${message} ${fix}`)}`;
}

/** Escapes line breaks, which would end the command of GitHub and start another one. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
