import { renderLine, widthOf, type Line, type Part } from './text.ts';

/** Minimum width of a terminal; narrower ones get unchanged lines. */
const MIN_COLUMNS = 40;

/**
 * Wraps a line. Commands in backticks and bold text stay whole, because users copy them; lines of documents stay
 * unchanged.
 */
export function fitToScreen(line: Line, columns = 0): Line[] {
  if (columns < MIN_COLUMNS || widthOf(line) <= columns) return [line];
  const parts = typeof line === 'string' ? [line] : line;
  if (parts.some((part) => typeof part === 'object' && 'document' in part)) return [line];
  const [leading = ''] = /^ */.exec(renderLine(line, false)) ?? [];
  const indent = `${leading}  `;
  const lines: Part[][] = [];
  let current: Part[] = [];
  let used = 0;
  for (const { spaces, word } of toWords(parts)) {
    const width = spaces.length + widthOf(word);
    if (used > indent.length && used + width > columns) {
      lines.push(current);
      current = [indent, ...word];
      used = indent.length + widthOf(word);
    } else {
      current.push(spaces, ...word);
      used += width;
    }
  }
  return [...lines, current];
}

/** Part of a line that cannot be wrapped, with the spaces before it. */
interface Word {
  spaces: string;
  word: Part[];
}

function toWords(parts: readonly Part[]): Word[] {
  const words: Word[] = [];
  for (const piece of parts.flatMap(toPieces)) {
    const last = words.at(-1);
    if (typeof piece === 'string' && piece.startsWith(' ')) words.push({ spaces: piece, word: [] });
    else if (last === undefined) words.push({ spaces: '', word: [piece] });
    else last.word.push(piece);
  }
  return words;
}

function toPieces(part: Part): Part[] {
  if (typeof part === 'string') return part.match(/`[^`]*`|`|[^ `]+| +/g) ?? [];
  if ('document' in part || part.style === 'bold') return [part];
  return toPieces(part.text).map((piece) =>
    typeof piece === 'string' && !piece.startsWith(' ')
      ? { text: piece, style: part.style }
      : piece,
  );
}
