import { hasLineBreak, isBlank, lineIndent } from './lines.ts';
import { leadStart, type Comment, type CommentedText, type Splice } from './splices.ts';

/** A stretch of text between brackets whose parts are separated by commas. */
export interface Bracketed {
  start: number;
  end: number;
  items: readonly BracketedItem[];
  /** Its brackets and commas must share one line (an inline table of TOML). */
  one_line?: boolean;
}

/** A member of an object or an element of an array. */
export interface BracketedItem {
  /** Where the key, or in an array the value, begins. */
  start: number;
  value: { start: number; end: number };
  /** The offset of the comma behind it. */
  comma: number | undefined;
}

/** How what is added is laid out, so that it looks like the person's own. */
export interface BracketLayout {
  eol: string;
  /** One level of indentation. */
  unit: string;
  /** A space behind a comma. */
  spaced: boolean;
  /** What is added to empty brackets stays on their line. */
  one_line: boolean;
}

/** Writes an item or a value: over lines from `indent` on, or on one line where it is undefined. */
export type WriteText = (indent: string | undefined) => string;

/** What shall become of one object or array. */
export interface ContainerChange {
  removed: ReadonlySet<BracketedItem>;
  /** By item the text of its new value. */
  replaced: ReadonlyMap<BracketedItem, WriteText>;
  /** Members or elements to be added behind those that are there. */
  added: readonly WriteText[];
  /** The line break before the closing bracket is catalog's own, from when it was empty. */
  opened: boolean;
}

/** The splices, and whether the line break before the closing bracket is catalog's after them. */
export interface ContainerEdit {
  splices: Splice[];
  opened: boolean;
}

/**
 * The splices that change one container and nothing else of the file. An entry of ours is the
 * whitespace before it, back over one line break, its text and its comma: that much is inserted,
 * and exactly that much is removed again.
 */
export function editContainer(
  document: CommentedText,
  layout: BracketLayout,
  container: Bracketed,
  change: ContainerChange,
): ContainerEdit {
  const splices = [
    ...removeItems(document, container, change),
    ...replaceValues(document, container, change),
  ];
  if (change.added.length === 0) {
    const closing = change.opened && isEmptied(document, container, change.removed);
    if (closing) splices.push(closeBracket(document, container));
    return { splices, opened: change.opened && !closing };
  }
  const place = placeForItems(document, layout, container, change);
  splices.push(...insertItems(layout, change.added, place));
  if (place.close !== undefined) splices.push(place.close);
  return { splices, opened: change.opened || place.close !== undefined };
}

function removeItems(
  { text }: CommentedText,
  { items }: Bracketed,
  { removed, added }: ContainerChange,
): Splice[] {
  const splices: Splice[] = [];
  for (const item of removed) {
    splices.push({ start: leadStart(text, item.start), end: item.value.end, text: '' });
    if (item.comma !== undefined) splices.push(cut(item.comma));
  }
  const end = items.at(-1);
  const last = lastRemaining(items, removed);
  // The item before ours got its comma from us, unless the list ends in commas of the person's.
  if (added.length === 0 && end !== last && end?.comma === undefined && last?.comma !== undefined) {
    splices.push(cut(last.comma));
  }
  return splices;
}

function cut(offset: number): Splice {
  return { start: offset, end: offset + 1, text: '' };
}

function replaceValues(
  { text }: CommentedText,
  container: Bracketed,
  { replaced }: ContainerChange,
): Splice[] {
  return [...replaced].map(([{ start, value }, write]) => ({
    start: value.start,
    end: value.end,
    text: write(isBroken(text, container, start) ? lineIndent(text, start) : undefined),
  }));
}

/** Whether what stands at `offset` is on another line than the bracket that opens its container. */
function isBroken(text: string, { start, one_line }: Bracketed, offset: number): boolean {
  return one_line !== true && hasLineBreak(text.slice(start, offset));
}

/** Where new items go, and how they are laid out there. */
interface Place {
  offset: number;
  /** The indentation of each item on a line of its own; undefined where they share one line. */
  indent: string | undefined;
  /** What stands before the first item, where it is not what stands before the others. */
  lead?: string;
  /** A comma the item before lacks. */
  comma?: Splice;
  /** The last new item carries a comma, as the list's own last one did. */
  trailing: boolean;
  /** The line break before the closing bracket of a container that was closed on one line. */
  close?: Splice;
}

function placeForItems(
  document: CommentedText,
  layout: BracketLayout,
  container: Bracketed,
  { removed }: ContainerChange,
): Place {
  const { items } = container;
  const last = lastRemaining(items, removed);
  const first = items[0];
  if (last !== undefined) {
    const trailing = items.at(-1)?.comma !== undefined;
    return { ...placeBehind(document, layout, container, last), trailing };
  }
  if (first !== undefined) return placeInsteadOf(document, container, first);
  return placeInEmpty(document, layout, container);
}

/** Behind the comma of the item and behind a comment that shares its line. */
function placeBehind(
  document: CommentedText,
  layout: BracketLayout,
  container: Bracketed,
  item: BracketedItem,
): Omit<Place, 'trailing'> {
  const { text } = document;
  const comma = item.comma === undefined ? item.value.end : undefined;
  const from = item.comma === undefined ? item.value.end : item.comma + 1;
  const comment = lastCommentOnLine(document, from);
  const broken = isBroken(text, container, item.start);
  const indent = broken
    ? lineIndent(text, item.start)
    : lineIndent(text, container.start) + layout.unit;
  return {
    offset: comment?.end ?? from,
    indent: broken || comment?.line === true ? indent : undefined,
    ...(comma === undefined ? {} : { comma: { start: comma, end: comma, text: ',' } }),
  };
}

/** Where the first of our own items stood, all of which go. */
function placeInsteadOf({ text }: CommentedText, container: Bracketed, item: BracketedItem): Place {
  const offset = leadStart(text, item.start);
  const broken = isBroken(text, container, item.start);
  return {
    offset,
    indent: broken ? lineIndent(text, item.start) : undefined,
    lead: text.slice(offset, item.start),
    trailing: false,
  };
}

function placeInEmpty(document: CommentedText, layout: BracketLayout, container: Bracketed): Place {
  const { text } = document;
  const outer = lineIndent(text, container.start);
  const comment = document.comments.findLast((candidate) => isInside(candidate, container));
  if (comment !== undefined) {
    const broken = isBroken(text, container, comment.start);
    const indent = broken ? lineIndent(text, comment.start) : outer + layout.unit;
    return {
      offset: comment.end,
      indent: broken || comment.line ? indent : undefined,
      trailing: false,
    };
  }
  const offset = container.start + 1;
  if (layout.one_line) return { offset, indent: undefined, lead: '', trailing: false };
  const closed = !hasLineBreak(text.slice(container.start, container.end));
  const end = container.end - 1;
  return {
    offset,
    indent: outer + layout.unit,
    trailing: false,
    ...(closed ? { close: { start: end, end, text: layout.eol + outer } } : {}),
  };
}

function insertItems(
  layout: BracketLayout,
  added: readonly WriteText[],
  { offset, indent, trailing, ...place }: Place,
): Splice[] {
  const lead = indent === undefined ? (layout.spaced ? ' ' : '') : layout.eol + indent;
  const items = added.map(
    (write, index) => (index === 0 ? (place.lead ?? lead) : lead) + write(indent),
  );
  const splice = { start: offset, end: offset, text: items.join(',') + (trailing ? ',' : '') };
  return place.comma === undefined ? [splice] : [place.comma, splice];
}

/** True where, without the removed items, nothing but whitespace is left. */
export function isEmptied(
  { comments }: CommentedText,
  container: Bracketed,
  removed: ReadonlySet<BracketedItem>,
): boolean {
  return (
    container.items.every((item) => removed.has(item)) &&
    comments.every(
      (comment) =>
        !isInside(comment, container) ||
        container.items.some(
          (item) => comment.start >= item.start && comment.end <= item.value.end,
        ),
    )
  );
}

/** Takes back the line break that opened the container. */
function closeBracket({ text }: CommentedText, container: Bracketed): Splice {
  const end = container.end - 1;
  return { start: leadStart(text, end), end, text: '' };
}

function isInside(comment: Comment, container: Bracketed): boolean {
  return comment.start > container.start && comment.end < container.end;
}

function lastRemaining(
  items: readonly BracketedItem[],
  removed: ReadonlySet<BracketedItem>,
): BracketedItem | undefined {
  return items.findLast((item) => !removed.has(item));
}

/** The last of the comments that follow `from` with only blanks between. */
function lastCommentOnLine({ text, comments }: CommentedText, from: number): Comment | undefined {
  let last: Comment | undefined;
  let offset = from;
  for (;;) {
    while (isBlank(text.charCodeAt(offset))) offset += 1;
    const comment = comments.find((candidate) => candidate.start === offset);
    if (comment === undefined) return last;
    last = comment;
    offset = comment.end;
  }
}
