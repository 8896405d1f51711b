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

/** Containers that catalog created, from the lock. */
export interface CreatedContainers {
  created: string[][];
  opened: string[][];
}

export interface ReconciledFile extends CreatedContainers {
  text: string;
  missing: ManagedEntry[];
  /** True if a replaced or removed entry contained a comment of the user. */
  edited: boolean;
}

interface Changes extends CreatedContainers {
  document: YamlDocument;
  root: YamlContainer;
  removed: Map<YamlContainer, Set<YamlItem>>;
  replaced: Map<YamlItem, { parent: YamlContainer; entry: ManagedEntry }>;
  splices: Splice[];
}

/**
 * Changes entries: equal values keep their formatting, different ones are replaced in place, and unwanted ones are
 * removed with the containers created for them. In block style, a new entry takes the place of a removed one in the
 * same container.
 */
export function reconcileEntries(
  document: YamlDocument,
  root: YamlContainer,
  style: YamlStyle,
  found: readonly FoundEntry[],
  wanted: ReadonlyMap<string, ManagedEntry>,
  kept: ReadonlySet<string>,
  made: CreatedContainers,
): ReconciledFile {
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

/** Removes empty containers, innermost first. */
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

/** Returns true for an unused container; one with a comment of the user is in use. */
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
 * Returns the edits that remove items. An item consists of its lines and the line break before it, or the one after it
 * at the start of a file.
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
