import { hasLineBreak, isBlank, lineIndent } from './lines.ts';
import { leadStart, type Comment, type CommentedText, type Splice } from './splices.ts';

export interface Bracketed {
  start: number;
  end: number;
  items: readonly BracketedItem[];
  /** True for an inline table of TOML, whose brackets and commas must be on one line. */
  one_line?: boolean;
}

export interface BracketedItem {
  /** Offset of the key, or of the value in an array. */
  start: number;
  value: { start: number; end: number };
  comma: number | undefined;
}

export interface BracketLayout {
  eol: string;
  unit: string;
  spaced: boolean;
  /** True if items added to empty brackets stay on the same line. */
  one_line: boolean;
}

/** Writes several lines with `indent`, or one line if it is undefined. */
export type WriteText = (indent: string | undefined) => string;

export interface ContainerChange {
  removed: ReadonlySet<BracketedItem>;
  replaced: ReadonlyMap<BracketedItem, WriteText>;
  added: readonly WriteText[];
  /** True if catalog added the line break before the closing bracket. */
  opened: boolean;
}

export interface ContainerEdit {
  splices: Splice[];
  opened: boolean;
}

/**
 * Changes one container of a file. An entry of catalog consists of the whitespace before it up to one line break, its
 * text and its comma. Exactly this range is inserted and later removed.
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
  // catalog added the comma after the previous item, unless the list has trailing commas.
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

function isBroken(text: string, { start, one_line }: Bracketed, offset: number): boolean {
  return one_line !== true && hasLineBreak(text.slice(start, offset));
}

interface Place {
  offset: number;
  /** Indentation; undefined if the items share one line. */
  indent: string | undefined;
  /** Whitespace before the first item, if it differs. */
  lead?: string;
  comma?: Splice;
  /** True if the last item had a comma. */
  trailing: boolean;
  /** Line break before the closing bracket, if the container was on one line. */
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

/** Places an item after the comma of another, and after a comment on the same line. */
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

/** Returns the place of the first removed item, if all items belong to catalog. */
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

/** Returns the last comment on a line after `from`, with only spaces before it. */
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
