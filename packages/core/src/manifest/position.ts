import { escapeControls } from '@catalog/contract/text/escape-controls';

/** Position in a file, 1-based; columns count UTF-16 units. */
export interface Position {
  line: number;
  column: number;
  /** The line, or a part of it around the column, escaped for printing. */
  excerpt: string;
}

export const WHOLE_FILE: Position = { line: 1, column: 1, excerpt: '' };

const EXCERPT_LENGTH = 120;

export function positionAt(text: string, offset: number): Position {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  const newline = text.indexOf('\n', start);
  const end = newline === -1 ? text.length : newline;
  return { line, column: offset - start + 1, excerpt: excerptOf(text, start, end, offset) };
}

function excerptOf(text: string, start: number, end: number, offset: number): string {
  const from = Math.max(start, Math.min(offset - EXCERPT_LENGTH / 2, end - EXCERPT_LENGTH));
  const to = Math.min(end, from + EXCERPT_LENGTH);
  const shown = text.slice(from, to).replace(/\r$/, '');
  return `${from > start ? '…' : ''}${escapeControls(shown, 'lines')}${to < end ? '…' : ''}`;
}
