import type { EditManaged } from '../managed-file.ts';
import type { ManagedEntry } from '../../adapter.ts';
import { jsonHash } from '@catalog/core/canonical-json';
import { lineBreakOf } from '../lines.ts';
import { placeOf } from '../places.ts';
import { applySplices, type Splice } from '../splices.ts';
import { beginsFile, insertBlocks, removeBlocks } from '../text-blocks.ts';
import { losesEdit, toOwned, wantedByPlace, type EntryInFile } from '../wanted-entries.ts';
import { blockText } from './block-text.ts';
import { findBlocks, type FoundBlock } from './find-blocks.ts';
import { writeMarker } from './marker-lines.ts';

/**
 * Edits a text file, whose blocks are between `<!-- catalog:begin:<id> -->` and `<!-- catalog:end:<id> -->`. The lock
 * lists managed blocks; others may be copies of the user and stay. `created` contains the empty path if the first block
 * starts a file that was empty.
 */
export const editManagedMarkdown: EditManaged = (text, desired, owned, file, kept = []) => {
  const before = text ?? '';
  const entries = desired.map(toBlock);
  const wanted = wantedByPlace(entries, file);
  const ours = new Set([...(owned?.entries ?? []), ...kept].map(({ key }) => key));
  const found = findBlocks(before, ours, file).filter(({ id }) => ours.has(id));
  const keptAt = new Set(kept.map(placeOf));
  const lost = losesEdit(found.map(toEntryInFile), wanted, owned?.entries ?? [], keptAt);

  const eol = lineBreakOf(before);
  const isUnwanted = (block: FoundBlock): boolean => {
    const place = placeOf(toEntryInFile(block));
    return !wanted.has(place) && !keptAt.has(place);
  };
  const first = beginsFile(owned) ? found[0] : undefined;
  const removal = removeBlocks(before, found, isUnwanted, (block) => block === first);
  const rest = splice(before, [...removal.splices, ...replaceBlocks(found, wanted, eol)]);
  const added = missingBlocks(found, wanted);
  const after = addBlocks(rest, added, eol);

  const created_file = text === undefined || owned?.created_file === true;
  const next = created_file && isEmpty(after) ? undefined : after;
  const begins = removal.beginning.length > 0 || (added.length > 0 && isEmpty(rest));
  const remaining = [...entries.map(toOwned), ...kept];
  return {
    text: next,
    owned:
      remaining.length === 0
        ? undefined
        : { created_file, created: begins ? [[]] : [], opened: [], entries: remaining },
    changed: next !== text,
    ...(lost ? { edited: true as const } : {}),
  };
};

interface WantedBlock extends ManagedEntry {
  value: string;
}

function toBlock(entry: ManagedEntry): WantedBlock {
  return { ...entry, value: blockText(entry.value) };
}

function toEntryInFile({ id, inner }: FoundBlock): EntryInFile {
  return { container: [], key: id, hash: jsonHash(inner) };
}

function replaceBlocks(
  found: readonly FoundBlock[],
  wanted: ReadonlyMap<string, WantedBlock>,
  eol: string,
): Splice[] {
  return found.flatMap((block) => {
    const want = wanted.get(placeOf(toEntryInFile(block)));
    if (want === undefined || want.value === block.inner) return [];
    return [{ start: block.start, end: block.end, text: writeBlock(want, eol) }];
  });
}

/** Returns missing blocks, by id. */
function missingBlocks(
  found: readonly FoundBlock[],
  wanted: ReadonlyMap<string, WantedBlock>,
): WantedBlock[] {
  const there = new Set(found.map(({ id }) => id));
  return [...wanted.values()]
    .filter(({ key }) => !there.has(key))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

function addBlocks(text: string, added: readonly WantedBlock[], eol: string): string {
  if (added.length === 0) return text;
  const end = isEmpty(text) ? undefined : text.trimEnd().length;
  const blocks = added.map((entry) => writeBlock(entry, eol));
  return splice(text, [insertBlocks(text, end, blocks, eol)]);
}

function writeBlock({ key: id, value }: WantedBlock, eol: string): string {
  const lines = value === '' ? [] : value.split('\n');
  return [writeMarker({ kind: 'begin', id }), ...lines, writeMarker({ kind: 'end', id })].join(eol);
}

/** Returns true for a string with only whitespace, apart from a byte order mark. */
function isEmpty(text: string): boolean {
  return text.trim() === '';
}

function splice(text: string, splices: readonly Splice[]): string {
  return applySplices({ text, comments: [] }, splices, '');
}
