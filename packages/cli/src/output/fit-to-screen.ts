import { renderLine, widthOf, type Line, type Part } from './text.ts';

/** Narrower terminals get lines as they are. */
const MIN_COLUMNS = 40;

/**
 * Breaks a line at spaces so that it fits the terminal, with the rest indented. Commands in backticks
 * and bold text stay whole, because people copy them. Lines of documents stay as they are.
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

/** What stays on one line, and the spaces before it. */
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

/** The words of a part, and the spaces between them as pieces of their own. */
function toPieces(part: Part): Part[] {
  if (typeof part === 'string') return part.match(/`[^`]*`|`|[^ `]+| +/g) ?? [];
  if ('document' in part || part.style === 'bold') return [part];
  return toPieces(part.text).map((piece) =>
    typeof piece === 'string' && !piece.startsWith(' ')
      ? { text: piece, style: part.style }
      : piece,
  );
}
