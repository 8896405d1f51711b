import { beforeLineBreak, isBlank, isLineBreak } from './lines.ts';

/** A comment, its signs included. */
export interface Comment {
  start: number;
  end: number;
  /** Ends only with its line. */
  line: boolean;
}

/** The text of a file a person writes, and where its comments are. */
export interface CommentedText {
  text: string;
  comments: readonly Comment[];
}

/** Replaces `text` between two offsets of the document. */
export interface Splice {
  start: number;
  end: number;
  text: string;
}

/** The offset before the blanks and the one line break that precede `offset`. */
export function leadStart(text: string, offset: number): number {
  let start = offset;
  while (isBlank(text.charCodeAt(start - 1))) start -= 1;
  return beforeLineBreak(text, start);
}

/** Applies splices that do not overlap, in whatever order they were made. */
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
    // What follows a line comment must not slip into it when the break between them was ours.
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
