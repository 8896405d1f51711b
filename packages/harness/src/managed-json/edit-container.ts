import type { Json } from '@catalog/core/json';
import type { JsonComment, JsonContainer, JsonDocument, JsonItem } from './json-document.ts';
import {
  hasLineBreak,
  isBlank,
  lineIndent,
  writeInline,
  writeLines,
  type JsonStyle,
} from './json-style.ts';
import { leadStart, type Splice } from './splices.ts';

/** A member or element to be added behind those that are there. */
export interface NewItem {
  key: string | undefined;
  value: Json;
}

/** What shall become of one object or array. */
export interface ContainerChange {
  removed: Set<JsonItem>;
  replaced: Map<JsonItem, Json>;
  added: NewItem[];
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
  document: JsonDocument,
  style: JsonStyle,
  container: JsonContainer,
  change: ContainerChange,
): ContainerEdit {
  const splices = [
    ...removeItems(document, container, change),
    ...replaceValues(document, style, container, change),
  ];
  if (change.added.length === 0) {
    const closing = change.opened && isEmptied(document, container, change.removed);
    if (closing) splices.push(closeBracket(document, container));
    return { splices, opened: change.opened && !closing };
  }
  const place = placeForItems(document, style, container, change);
  splices.push(...insertItems(style, change.added, place));
  if (place.close !== undefined) splices.push(place.close);
  return { splices, opened: change.opened || place.close !== undefined };
}

function removeItems(
  { text }: JsonDocument,
  { items }: JsonContainer,
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
  { text }: JsonDocument,
  style: JsonStyle,
  container: JsonContainer,
  { replaced }: ContainerChange,
): Splice[] {
  return [...replaced].map(([item, value]) => {
    const broken = hasLineBreak(text.slice(container.start, item.start));
    return {
      start: item.value.start,
      end: item.value.end,
      text: writeValue(value, broken ? lineIndent(text, item.start) : undefined, style),
    };
  });
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
  document: JsonDocument,
  style: JsonStyle,
  container: JsonContainer,
  { removed }: ContainerChange,
): Place {
  const { items } = container;
  const last = lastRemaining(items, removed);
  const first = items[0];
  if (last !== undefined) {
    const trailing = items.at(-1)?.comma !== undefined;
    return { ...placeBehind(document, style, container, last), trailing };
  }
  if (first !== undefined) return placeInsteadOf(document, container, first);
  return placeInEmpty(document, style, container);
}

/** Behind the comma of the item and behind a comment that shares its line. */
function placeBehind(
  document: JsonDocument,
  style: JsonStyle,
  container: JsonContainer,
  item: JsonItem,
): Omit<Place, 'trailing'> {
  const { text } = document;
  const comma = item.comma === undefined ? item.value.end : undefined;
  const from = item.comma === undefined ? item.value.end : item.comma + 1;
  const comment = lastCommentOnLine(document, from);
  const broken = hasLineBreak(text.slice(container.start, item.start));
  const indent = broken
    ? lineIndent(text, item.start)
    : lineIndent(text, container.start) + style.unit;
  return {
    offset: comment?.end ?? from,
    indent: broken || comment?.line === true ? indent : undefined,
    ...(comma === undefined ? {} : { comma: { start: comma, end: comma, text: ',' } }),
  };
}

/** Where the first of our own items stood, all of which go. */
function placeInsteadOf({ text }: JsonDocument, container: JsonContainer, item: JsonItem): Place {
  const offset = leadStart(text, item.start);
  const broken = hasLineBreak(text.slice(container.start, item.start));
  return {
    offset,
    indent: broken ? lineIndent(text, item.start) : undefined,
    lead: text.slice(offset, item.start),
    trailing: false,
  };
}

function placeInEmpty(document: JsonDocument, style: JsonStyle, container: JsonContainer): Place {
  const { text } = document;
  const outer = lineIndent(text, container.start);
  const comment = document.comments.findLast((candidate) => isInside(candidate, container));
  if (comment !== undefined) {
    const broken = hasLineBreak(text.slice(container.start, comment.start));
    const indent = broken ? lineIndent(text, comment.start) : outer + style.unit;
    return {
      offset: comment.end,
      indent: broken || comment.line ? indent : undefined,
      trailing: false,
    };
  }
  const offset = container.start + 1;
  if (isOneLine(document)) return { offset, indent: undefined, lead: '', trailing: false };
  const closed = !hasLineBreak(text.slice(container.start, container.end));
  const end = container.end - 1;
  return {
    offset,
    indent: outer + style.unit,
    trailing: false,
    ...(closed ? { close: { start: end, end, text: style.eol + outer } } : {}),
  };
}

/** A file written on one line stays on one line; an empty one has no such habit. */
function isOneLine({ text, root }: JsonDocument): boolean {
  return (
    root !== undefined &&
    root.kind !== 'scalar' &&
    root.items.length > 0 &&
    !hasLineBreak(text.slice(root.start, root.end))
  );
}

function insertItems(style: JsonStyle, added: readonly NewItem[], place: Place): Splice[] {
  const { offset, indent, trailing } = place;
  const lead = indent === undefined ? (style.spaced ? ' ' : '') : style.eol + indent;
  const items = added.map(({ key, value }, index) => {
    const name = key === undefined ? '' : JSON.stringify(key) + (style.spaced ? ': ' : ':');
    const before = index === 0 ? (place.lead ?? lead) : lead;
    return before + name + writeValue(value, indent, style);
  });
  const splice = { start: offset, end: offset, text: items.join(',') + (trailing ? ',' : '') };
  return place.comma === undefined ? [splice] : [place.comma, splice];
}

function writeValue(value: Json, indent: string | undefined, style: JsonStyle): string {
  return indent === undefined ? writeInline(value, style) : writeLines(value, indent, style);
}

/** True where, without the removed items, nothing but whitespace is left. */
export function isEmptied(
  { comments }: JsonDocument,
  container: JsonContainer,
  removed: ReadonlySet<JsonItem>,
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
function closeBracket({ text }: JsonDocument, container: JsonContainer): Splice {
  const end = container.end - 1;
  return { start: leadStart(text, end), end, text: '' };
}

function isInside(comment: JsonComment, container: JsonContainer): boolean {
  return comment.start > container.start && comment.end < container.end;
}

function lastRemaining(
  items: readonly JsonItem[],
  removed: ReadonlySet<JsonItem>,
): JsonItem | undefined {
  return items.findLast((item) => !removed.has(item));
}

/** The last of the comments that follow `from` with only blanks between. */
function lastCommentOnLine(
  { text, comments }: JsonDocument,
  from: number,
): JsonComment | undefined {
  let last: JsonComment | undefined;
  let offset = from;
  for (;;) {
    while (isBlank(text.charCodeAt(offset))) offset += 1;
    const comment = comments.find((candidate) => candidate.start === offset);
    if (comment === undefined) return last;
    last = comment;
    offset = comment.end;
  }
}
