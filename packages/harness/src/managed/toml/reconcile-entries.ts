import { isJsonObject } from '@catalog/core/json';
import type { ManagedEntry } from '../../adapter.ts';
import { editContainer, isEmptied, type Bracketed, type BracketedItem } from '../edit-container.ts';
import { jsonHash } from '@catalog/core/canonical-json';
import { placeOf } from '../places.ts';
import type { Splice } from '../splices.ts';
import { removeBlocks, type BlockCuts } from '../text-blocks.ts';
import type { FoundEntry } from './find-entries.ts';
import {
  getNode,
  outermost,
  partsOf,
  type TomlDocument,
  type TomlHeader,
  type TomlNode,
  type TomlPair,
  type TomlPart,
} from './toml-document.ts';
import { bracketLayout, writeInline, writeTable } from './write-toml.ts';

export interface EntryChanges {
  splices: Splice[];
  missing: ManagedEntry[];
  begins: boolean;
}

interface Change {
  document: TomlDocument;
  splices: Splice[];
  removed: Set<TomlPart>;
}

/**
 * Changes entries: equal values keep their formatting, different ones are replaced in place, and unwanted ones are
 * removed with the containers created for them.
 */
export function reconcileEntries(
  document: TomlDocument,
  found: readonly FoundEntry[],
  wanted: ReadonlyMap<string, ManagedEntry>,
  kept: ReadonlySet<string>,
  created: readonly string[][],
  begins: boolean,
  eol: string,
): EntryChanges {
  const change: Change = { document, splices: [], removed: new Set() };
  const missing = new Map(wanted);
  for (const entry of found) {
    const place = placeOf(entry);
    const want = missing.get(place);
    if (want === undefined) {
      if (!kept.has(place)) remove(change, partsOf(entry.node));
    } else if (entry.hash === jsonHash(want.value) || replace(change, entry, want, eol)) {
      missing.delete(place);
    } else {
      remove(change, partsOf(entry.node));
    }
  }
  const made = created
    .toSorted((a, b) => b.length - a.length)
    .map((path) => getNode(document.root, path))
    .filter((node) => node !== undefined);
  for (const node of made) {
    if (isUnused(change, node)) remove(change, node.parts);
  }
  const ours = [
    ...found.flatMap(({ node }) => partsOf(node)),
    ...made.flatMap(({ parts }) => parts),
  ];
  const cuts = removeLines(change, ours, begins);
  return {
    splices: [...change.splices, ...cuts.splices, ...removeItems(change, eol)],
    missing: [...missing.values()],
    begins: cuts.beginning.some(({ kind }) => kind === 'header'),
  };
}

function remove({ removed }: Change, parts: readonly TomlPart[]): void {
  for (const part of parts) removed.add(part);
}

/** Replaces a value. Returns false if the new one does not fit the form. */
function replace(change: Change, entry: FoundEntry, { value }: ManagedEntry, eol: string): boolean {
  const [first, ...others] = partsOf(entry.node);
  if (first === undefined) return false;
  const path = [...entry.container, entry.key];
  if (first.kind === 'header') {
    if (!isJsonObject(value)) return false;
    const text =
      entry.shape === 'map'
        ? writeTable(path, value, 'table', eol)
        : writeTable(entry.container, value, 'element', eol);
    change.splices.push({ start: first.start, end: first.end, text });
  } else if (first.kind === 'pair' && first.depth + first.names.length > path.length) {
    // For a dotted key that leads into the entry, removes the names after the entry's own.
    const start = first.names[path.length - first.depth - 1] ?? first.start;
    change.splices.push({ start, end: first.end, text: ` = ${writeInline(value)}` });
  } else {
    change.splices.push({ ...first.value, text: writeInline(value) });
  }
  remove(change, others);
  return true;
}

/** Returns true for an unused container; one with content of the user is in use. */
function isUnused({ document, removed }: Change, node: TomlNode): boolean {
  if (node.kind === 'scalar') return false;
  if (node.brackets !== undefined) {
    const items = new Set([...removed].filter((part) => part.kind !== 'header'));
    return isEmptied(document, node.brackets, items);
  }
  const [header, another] = node.parts;
  if (header?.kind !== 'header' || another !== undefined) return false;
  return (
    header.pairs.every((pair) => removed.has(pair)) &&
    document.comments.every(
      ({ start }) =>
        start < header.start ||
        start >= header.end ||
        header.pairs.some((pair) => start > pair.start && start < pair.end),
    )
  );
}

type Line = TomlHeader | TomlPair;

function removeLines(
  { document: { text }, removed }: Change,
  ours: readonly TomlPart[],
  begins: boolean,
): BlockCuts<Line> {
  const gone = outermost(removed);
  const staying = ours.filter(
    (part) => !gone.some(({ start, end }) => part.start >= start && part.start < end),
  );
  const lines = [...gone, ...staying].filter(isLine).sort((a, b) => a.start - b.start);
  const first = begins ? lines.find(({ kind }) => kind === 'header') : undefined;
  const top = text.startsWith('\uFEFF') ? 1 : 0;
  return removeBlocks(
    text,
    lines,
    (part) => removed.has(part),
    (part) => part === first || (part.kind === 'pair' && part.start === top),
  );
}

function isLine(part: TomlPart): part is Line {
  return part.kind === 'header' || (part.kind === 'pair' && part.within === undefined);
}

function removeItems({ document, removed }: Change, eol: string): Splice[] {
  const containers = new Map<Bracketed, Set<BracketedItem>>();
  for (const part of outermost(removed)) {
    if (part.kind === 'header' || part.within === undefined) continue;
    const items = containers.get(part.within) ?? new Set();
    containers.set(part.within, items.add(part));
  }
  return Array.from(containers, ([container, items]) => {
    const change = { removed: items, replaced: new Map(), added: [], opened: false };
    return editContainer(document, bracketLayout(eol), container, change).splices;
  }).flat();
}
