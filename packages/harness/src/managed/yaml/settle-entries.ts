import type { ManagedEntry } from '../../adapter.ts';
import { jsonHash } from '@catalog/core/canonical-json';
import { editContainer, isEmptied } from '../edit-container.ts';
import { skipLineBreak } from '../lines.ts';
import { isSamePath, placeOf } from '../places.ts';
import { applySplices, leadStart, type Splice } from '../splices.ts';
import type { FoundEntry } from './find-entries.ts';
import { writeElement, writeFlow, writeMember } from './write-yaml.ts';
import {
  columnOf,
  getContainer,
  getMember,
  hasComment,
  isContainer,
  isNull,
  itemEnd,
  lineStart,
  type YamlContainer,
  type YamlDocument,
  type YamlItem,
} from './yaml-document.ts';
import type { YamlStyle } from './yaml-style.ts';

/** What the lock says catalog made in a file beside its entries. */
export interface Made {
  created: string[][];
  opened: string[][];
}

/** A file in which what is ours and there is as it shall be. */
export interface Settled extends Made {
  text: string;
  /** What is still to be added. */
  missing: ManagedEntry[];
  /** A comment of the person's stood inside an entry that was replaced or removed. */
  edited: boolean;
}

/** What goes and what is written over. */
interface Changes extends Made {
  document: YamlDocument;
  root: YamlContainer;
  removed: Map<YamlContainer, Set<YamlItem>>;
  replaced: Map<YamlItem, { parent: YamlContainer; entry: ManagedEntry }>;
  splices: Splice[];
}

/**
 * Compares what is found with what is wanted. An equal value stays as it is laid out, another is
 * written over where it stands, and what nobody wants goes unless it is to be kept, with what was made
 * for it. In block style a newcomer takes the place of one that goes from the same container.
 */
export function settleEntries(
  document: YamlDocument,
  root: YamlContainer,
  style: YamlStyle,
  found: readonly FoundEntry[],
  wanted: ReadonlyMap<string, ManagedEntry>,
  kept: ReadonlySet<string>,
  made: Made,
): Settled {
  const changes: Changes = {
    document,
    root,
    removed: new Map(),
    replaced: new Map(),
    splices: [],
    ...made,
  };
  const missing = new Map(wanted);
  const leaving: FoundEntry[] = [];
  for (const entry of found) {
    const place = placeOf(entry);
    const want = missing.get(place);
    missing.delete(place);
    if (want === undefined) {
      if (!kept.has(place)) leaving.push(entry);
    } else if (entry.hash !== jsonHash(want.value)) {
      changes.replaced.set(entry.item, { parent: entry.parent, entry: want });
    }
  }
  for (const entry of leaving) {
    const [place, next] = successorOf(entry, missing) ?? [];
    if (place !== undefined && next !== undefined) {
      missing.delete(place);
      changes.replaced.set(entry.item, { parent: entry.parent, entry: next });
    } else {
      remove(changes, entry.parent, entry.item);
    }
  }
  dropEmptied(changes);
  closeOpened(changes);
  const edited = losesComment(changes);
  const text = applySplices(document, toSplices(changes, style), style.eol);
  const { created, opened } = changes;
  return { text, missing: [...missing.values()], created, opened, edited };
}

function successorOf(
  { parent, shape, container }: FoundEntry,
  missing: ReadonlyMap<string, ManagedEntry>,
): [string, ManagedEntry] | undefined {
  if (parent.flow) return undefined;
  return [...missing].find(
    ([, entry]) =>
      entry.shape === shape &&
      isSamePath(entry.container, container) &&
      (shape === 'array' || getMember(parent, entry.key) === undefined),
  );
}

function remove({ removed }: Changes, parent: YamlContainer, item: YamlItem): void {
  const items = removed.get(parent);
  if (items === undefined) removed.set(parent, new Set([item]));
  else items.add(item);
}

/** Removes the containers catalog created and nobody uses any more, inside first. */
function dropEmptied(changes: Changes): void {
  for (const path of changes.created.toSorted((a, b) => b.length - a.length)) {
    const parent = getContainer(changes.root, path.slice(0, -1));
    const item = parent === undefined ? undefined : getMember(parent, path.at(-1) ?? '');
    if (parent === undefined || item === undefined || !isUnused(changes, item)) continue;
    if (isContainer(item.value)) changes.removed.delete(item.value);
    remove(changes, parent, item);
    changes.created = changes.created.filter((other) => !isSamePath(other, path));
  }
}

/** True where a container loses all of its items and no comment of the person's is left in it. */
function isUnused({ document, removed, replaced }: Changes, item: YamlItem): boolean {
  const { value } = item;
  if (!isContainer(value) && !isNull(value)) return false;
  const leaving = isContainer(value) ? (removed.get(value) ?? new Set()) : new Set<YamlItem>();
  if (isContainer(value) && value.flow) return isEmptied(document, value, leaving);
  const inner = isContainer(value) ? value.items : [];
  const end = itemEnd(document, item);
  return (
    inner.every((entry) => leaving.has(entry) && !replaced.has(entry)) &&
    document.comments.every(
      (comment) =>
        comment.start < item.start ||
        comment.start > end ||
        inner.some(
          (entry) => comment.start > entry.start && comment.end <= itemEnd(document, entry),
        ),
    )
  );
}

/** Writes a null back where catalog had put a container in its place and nothing is left in it. */
function closeOpened(changes: Changes): void {
  const { document, root, removed, splices } = changes;
  for (const row of changes.opened) {
    const [path, written = ''] = [row.slice(0, -1), row.at(-1)];
    const item = getMember(getContainer(root, path.slice(0, -1)) ?? root, path.at(-1) ?? '');
    if (item === undefined || !isContainer(item.value)) continue;
    const container = item.value;
    const leaving = removed.get(container);
    if (leaving?.size !== container.items.length) continue;
    if (container.flow && !isEmptied(document, container, leaving)) continue;
    if (container.flow) removed.delete(container);
    const colon = document.text.indexOf(':', item.key_end) + 1;
    const end = container.flow ? container.end : colon;
    splices.push({ start: item.key_end, end, text: written });
    changes.opened = changes.opened.filter((other) => other !== row);
  }
}

function losesComment({ document, removed, replaced }: Changes): boolean {
  const gone = [...removed].flatMap(([{ flow }, items]) =>
    Array.from(
      items,
      (item) => [item.start, flow ? item.value.end : itemEnd(document, item)] as const,
    ),
  );
  const over = Array.from(replaced.keys(), (item) => [item.start, item.value.end] as const);
  return [...gone, ...over].some(([start, end]) => hasComment(document, start, end));
}

function toSplices(changes: Changes, style: YamlStyle): Splice[] {
  const { document, removed, replaced, splices } = changes;
  const block = [...removed].filter(([{ flow }]) => !flow).flatMap(([, items]) => [...items]);
  const flow = new Set<YamlContainer>(
    [...removed.keys(), ...Array.from(replaced.values(), ({ parent }) => parent)].filter(
      (container) => container.flow,
    ),
  );
  return [
    ...splices,
    ...cutItems(document, block),
    ...[...replaced].flatMap(([item, { parent, entry }]) =>
      parent.flow ? [] : [writeOver(document, item, entry, style)],
    ),
    ...[...flow].flatMap((container) => changeFlow(changes, container, style)),
  ];
}

/**
 * A block item is its lines and the line break before them: that much is inserted, and exactly that
 * much is removed again. At the beginning of a file it is the one behind them.
 */
function cutItems(document: YamlDocument, items: readonly YamlItem[]): Splice[] {
  const { text } = document;
  const splices: Splice[] = [];
  let cut = 0;
  for (const item of items.toSorted((a, b) => a.start - b.start)) {
    const begin = lineStart(text, item.start);
    const end = itemEnd(document, item);
    const isFirst = begin === cut;
    const start = isFirst ? begin : leadStart(text, item.start);
    cut = isFirst ? skipLineBreak(text, end) : end;
    splices.push({ start, end: cut, text: '' });
  }
  return splices;
}

function writeOver(
  { text }: YamlDocument,
  item: YamlItem,
  entry: ManagedEntry,
  style: YamlStyle,
): Splice {
  const column = columnOf(text, item.start);
  const written =
    entry.shape === 'array'
      ? writeElement(entry.value, column, style)
      : writeMember(entry.key, entry.value, column, style);
  return { start: item.start, end: item.value.end, text: written };
}

function changeFlow(
  { document, removed, replaced }: Changes,
  container: YamlContainer,
  { eol, map_step }: YamlStyle,
): Splice[] {
  const over = [...replaced].filter(([, { parent }]) => parent === container);
  const layout = { eol, unit: ' '.repeat(map_step), spaced: true, one_line: true };
  return editContainer(document, layout, container, {
    removed: removed.get(container) ?? new Set(),
    replaced: new Map(over.map(([item, { entry }]) => [item, () => writeFlow(entry.value)])),
    added: [],
    opened: false,
  }).splices;
}
