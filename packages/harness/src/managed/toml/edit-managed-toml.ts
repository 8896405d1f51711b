import type { ManagedEntry } from '../../adapter.ts';
import { lineBreakOf } from '../lines.ts';
import type { EditManaged, OwnedEntry } from '../managed-file.ts';
import { placeOf, startsWith, uniquePaths } from '../places.ts';
import { applySplices } from '../splices.ts';
import { beginsFile } from '../text-blocks.ts';
import { losesEdit, toOwned, wantedByPlace } from '../wanted-entries.ts';
import { addEntries } from './add-entries.ts';
import { findEntries } from './find-entries.ts';
import { reconcileEntries } from './reconcile-entries.ts';
import { parseTomlDocument } from './toml-document.ts';
import { tomlValue } from './write-toml.ts';

/**
 * Edits a TOML 1.0 file, whose managed entries only the lock records. `created` contains lists and inline tables
 * created for entries, headers created for single values, and the empty path if the first table begins a file that was
 * empty. Everything else is removed with its entry; `opened` is not used.
 */
export const editManagedToml: EditManaged = (text, desired, owned, file, kept = []) => {
  const before = text ?? '';
  const entries = desired.map((entry) => ({ ...entry, value: tomlValue(entry.value) }));
  const wanted = wantedByPlace(entries, file);
  const left = owned?.entries ?? [];
  const keptAt = new Set(kept.map(placeOf));
  const made = owned?.created.filter((path) => path.length > 0) ?? [];
  const eol = lineBreakOf(before);

  const document = parseTomlDocument(before, file);
  const found = findEntries(document.root, wanted, [...left, ...kept], file);
  const lost = losesEdit(found, wanted, left, keptAt);
  const beginsWithTable = beginsFile(owned);
  const settled = reconcileEntries(document, found, wanted, keptAt, made, beginsWithTable, eol);
  const rest = applySplices(document, settled.splices, eol);
  const remaining = rest === before ? document : parseTomlDocument(rest, file);
  const added = addEntries(remaining, settled.missing, file, eol);
  const after = applySplices(remaining, added.splices, eol);

  const created_file = text === undefined || owned?.created_file === true;
  const next = created_file && after.trim() === '' ? undefined : after;
  const staying = [...ownEntries(entries, wanted), ...kept];
  const created = uniquePaths([...made, ...added.created]).filter((path) => isInUse(path, staying));
  if (settled.begins || added.begins) created.unshift([]);
  return {
    text: next,
    owned:
      staying.length === 0 ? undefined : { created_file, created, opened: [], entries: staying },
    changed: next !== text,
    ...(lost ? { edited: true as const } : {}),
  };
};

/** Returns entries without shared members that the user already has. */
function ownEntries(
  entries: readonly ManagedEntry[],
  wanted: ReadonlyMap<string, ManagedEntry>,
): OwnedEntry[] {
  return entries.filter((entry) => wanted.has(placeOf(entry))).map(toOwned);
}

function isInUse(path: readonly string[], entries: readonly OwnedEntry[]): boolean {
  return entries.some(({ container }) => startsWith(container, path));
}
