import { escapeControls } from '@catalog/contract/text/escape-controls';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export interface Span {
  text: string;
  style: Style;
}

/** Line of a document, in which tabs stay. */
export interface DocumentLine {
  document: string;
}

export type Part = string | Span | DocumentLine;

/** Line of output. Colors and escapes are added when it is written. */
export type Line = string | readonly Part[];

const CODES: Readonly<Record<Style, number>> = {
  bold: 1,
  dim: 2,
  red: 31,
  green: 32,
  yellow: 33,
  cyan: 36,
};

export function styled(style: Style, text: string): Span {
  return { text, style };
}

/** Renders a line and escapes all content, so that a registry cannot move the cursor, forge a line or hide text. */
export function renderLine(line: Line, color: boolean): string {
  const parts = typeof line === 'string' ? [line] : line;
  return parts
    .map((part) => {
      if (typeof part === 'string') return escapeControls(part);
      if ('document' in part) return escapeControls(part.document, 'tabs');
      const text = escapeControls(part.text);
      return color ? `\u001B[${CODES[part.style]}m${text}\u001B[0m` : text;
    })
    .join('');
}

export function widthOf(line: Line): number {
  return Array.from(renderLine(line, false)).length;
}

export function alignColumns(rows: readonly (readonly Line[])[], indent = ''): Line[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
    });
  }
  return rows.map((row) => {
    const parts: Part[] = [indent];
    row.forEach((cell, column) => {
      parts.push(...(typeof cell === 'string' ? [cell] : cell));
      if (column === row.length - 1) return;
      parts.push(' '.repeat((widths[column] ?? 0) - widthOf(cell) + 2));
    });
    return parts;
  });
}

export function wrap(prose: string, width: number, indent = ''): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of prose.split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > width) {
      lines.push(indent + line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, indent + line];
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** Lists the first words and counts the others: `ops/a, ops/b and 42 more`. */
export function listSome(words: readonly string[], shown: number): string {
  const more = words.length - shown;
  const first = words.slice(0, shown).join(', ');
  return more > 0 ? `${first} and ${more} more` : first;
}
