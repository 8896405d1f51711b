import type { Diagnostic } from './diagnostic.ts';
import { getLintRule, lintRules, type LintRule } from './rules.ts';
import { pathOf, type ReportOptions } from './summary.ts';

export interface SarifOptions extends ReportOptions {
  version: string;
}

/** Formats findings as SARIF 2.1.0, which code hosts show next to the changed lines. */
export function formatSarif(diagnostics: readonly Diagnostic[], options: SarifOptions): string {
  const codes = [...new Set([...Object.keys(lintRules), ...diagnostics.map(({ code }) => code)])];
  const indexes = new Map(codes.map((code, index) => [code, index]));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'catalog', version: options.version, rules: codes.map(toDescriptor) },
        },
        columnKind: 'utf16CodeUnits',
        results: diagnostics.map((diagnostic) => ({
          ruleId: diagnostic.code,
          ruleIndex: indexes.get(diagnostic.code),
          level: diagnostic.severity,
          message: { text: `${diagnostic.message} ${diagnostic.fix}` },
          locations: [{ physicalLocation: toLocation(diagnostic, options) }],
        })),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function toDescriptor(code: string): object {
  const rule: LintRule | undefined = getLintRule(code);
  if (rule === undefined) return { id: code };
  return {
    id: code,
    shortDescription: { text: rule.title },
    fullDescription: { text: rule.why },
    help: { text: rule.fix },
    defaultConfiguration: { level: rule.severity },
  };
}

function toLocation(diagnostic: Diagnostic, options: SarifOptions): object {
  const { line, column, excerpt } = diagnostic;
  return {
    artifactLocation: toArtifactLocation(pathOf(diagnostic, options)),
    region: {
      startLine: line,
      startColumn: column,
      ...(excerpt === undefined ? {} : { snippet: { text: excerpt } }),
    },
  };
}

function toArtifactLocation(path: string): object {
  const uri = path.split('/').map(encodeURIComponent).join('/');
  return uri.startsWith('/') ? { uri: `file://${uri}` } : { uri, uriBaseId: '%SRCROOT%' };
}
