import { compareBytes } from '../artifact/compare-bytes.ts';
import { escapeControls } from '@catalog/contract/text/escape-controls';
import type { Diagnostic } from './diagnostic.ts';
import { getLintRule } from './rules.ts';
import { pathOf, summarize, type ReportOptions } from './summary.ts';

export interface HumanOptions extends ReportOptions {
  color: boolean;
}

const STYLES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** Formats findings for a terminal. The reason of a rule is printed once per file, and all authored text is escaped. */
export function formatHuman(diagnostics: readonly Diagnostic[], options: HumanOptions): string {
  const paint = options.color ? paintWithColor : paintPlain;
  const inOrder = diagnostics.toSorted(comparePlaces);
  const files = Map.groupBy(inOrder, (diagnostic) => pathOf(diagnostic, options));
  const groups = [...files].map(([path, found]) => formatFile(path, found, paint));
  return `${[...groups, formatSummary(diagnostics, options, paint)].join('\n')}\n`;
}

function comparePlaces(a: Diagnostic, b: Diagnostic): number {
  return (
    compareBytes(a.layer, b.layer) ||
    compareBytes(a.file, b.file) ||
    a.line - b.line ||
    a.column - b.column
  );
}

type Paint = (text: string, ...styles: (keyof typeof STYLES)[]) => string;

function paintPlain(text: string): string {
  return text;
}

function paintWithColor(text: string, ...styles: (keyof typeof STYLES)[]): string {
  return `\u001B[${styles.map((style) => STYLES[style]).join(';')}m${text}\u001B[0m`;
}

function formatFile(path: string, found: readonly Diagnostic[], paint: Paint): string {
  const explained = new Set<string>();
  const lines = found.flatMap((diagnostic) => {
    const why = explained.has(diagnostic.code) ? undefined : getLintRule(diagnostic.code)?.why;
    explained.add(diagnostic.code);
    return formatFinding(path, diagnostic, why, paint);
  });
  return `${lines.join('\n')}\n`;
}

function formatFinding(
  path: string,
  diagnostic: Diagnostic,
  why: string | undefined,
  paint: Paint,
): string[] {
  const { severity, code, line, column } = diagnostic;
  const place = paint(`${escapeControls(path)}:${line}:${column}`, 'bold');
  const weight = paint(severity, severity === 'error' ? 'red' : 'yellow', 'bold');
  const message = escapeControls(diagnostic.message);
  return [
    `${place}  ${weight}  ${paint(code, 'cyan')}  ${message}`,
    ...formatExcerpt(diagnostic, paint),
    ...(why === undefined ? [] : [paint(`    why: ${why}`, 'dim')]),
    `    fix: ${escapeControls(diagnostic.fix)}`,
  ];
}

function formatExcerpt({ line, column, excerpt }: Diagnostic, paint: Paint): string[] {
  if (excerpt === undefined) return [];
  const margin = ' '.repeat(String(line).length);
  const shown = [`    ${paint(`${line} |`, 'dim')} ${toOneLine(excerpt)}`];
  const before = textBefore(excerpt, column);
  if (before !== undefined) {
    const indent = ' '.repeat(displayWidth(toOneLine(before)));
    shown.push(`    ${paint(`${margin} |`, 'dim')} ${indent}${paint('^', 'red', 'bold')}`);
  }
  return shown;
}

const CUT_BEFORE = 60;

function textBefore(excerpt: string, column: number): string | undefined {
  if (!excerpt.startsWith('…')) return excerpt.slice(0, column - 1);
  return excerpt.endsWith('…') ? excerpt.slice(0, CUT_BEFORE + 1) : undefined;
}

/** Replaces each tab by a space, so that the caret is in the right column. */
function toOneLine(text: string): string {
  return escapeControls(text.replaceAll('\t', ' '));
}

const NO_WIDTH = /[\p{M}\u200C\u200D]/u;
const DOUBLE_WIDTH =
  /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{Emoji_Presentation}\uFF01-\uFF60]/u;

function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (NO_WIDTH.test(character)) continue;
    width += DOUBLE_WIDTH.test(character) ? 2 : 1;
  }
  return width;
}

function formatSummary(
  diagnostics: readonly Diagnostic[],
  options: HumanOptions,
  paint: Paint,
): string {
  const { errors, warnings, artifacts } = summarize(diagnostics, options.artifacts);
  const where = count(artifacts, 'artifact');
  if (errors + warnings === 0) return paint(`No problems in ${where}`, 'green');
  const found = [
    errors > 0 ? paint(count(errors, 'error'), 'red', 'bold') : '0 errors',
    warnings > 0 ? paint(count(warnings, 'warning'), 'yellow', 'bold') : '0 warnings',
  ];
  return `${found.join(', ')} in ${where}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
