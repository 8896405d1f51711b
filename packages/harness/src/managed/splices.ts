import { beforeLineBreak, isBlank, isLineBreak } from './lines.ts';

/** Comment with its delimiters. */
export interface Comment {
  start: number;
  end: number;
  line: boolean;
}

export interface CommentedText {
  text: string;
  comments: readonly Comment[];
}

export interface Splice {
  start: number;
  end: number;
  text: string;
}

/** Returns the offset before the spaces and the single line break. */
export function leadStart(text: string, offset: number): number {
  let start = offset;
  while (isBlank(text.charCodeAt(start - 1))) start -= 1;
  return beforeLineBreak(text, start);
}

/** Applies edits in any order, which must not overlap. */
export function applySplices(
  { text, comments }: CommentedText,
  splices: readonly Splice[],
  eol: string,
): string {
  const lineComments = new Set(comments.filter(({ line }) => line).map(({ end }) => end));
  let result = '';
  let inLineComment = false;
  function emit(piece: string, end?: number): void {
    if (piece === '') return;
    // A line break after a line comment stays if a removed entry contained it.
    if (inLineComment && !isLineBreak(piece.charCodeAt(0))) result += eol;
    result += piece;
    inLineComment = end !== undefined && lineComments.has(end);
  }
  let offset = 0;
  for (const splice of splices.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    emit(text.slice(offset, splice.start), splice.start);
    emit(splice.text);
    offset = splice.end;
  }
  emit(text.slice(offset));
  return result;
}
