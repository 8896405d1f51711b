import { isDeepStrictEqual } from 'node:util';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { jsonHash } from '@catalog/core/canonical-json';
import { editManagedYaml } from '@catalog/harness/managed/yaml/edit-managed-yaml';
import { readSyncFile } from '../config/read-sync-file.ts';
import type { SyncFile } from '../config/types.ts';

const LIST = ['defaults', 'exclude'];

/** Edited file; `refused` if the edit would change other content. */
export type ExcludeEdit = { kind: 'edited'; text: string } | { kind: 'refused'; reason: string };

/** Adds ids to `defaults.exclude` and leaves all other bytes unchanged. */
export function addToExclude(
  text: string | undefined,
  ids: readonly string[],
  file: string,
): ExcludeEdit {
  const before = text === undefined ? {} : readSyncFile(text, file);
  const added = ids.filter((id) => !excludeList(before).includes(id));
  if (added.length === 0) return { kind: 'edited', text: text ?? '' };
  const wanted = withExclude(before, [...excludeList(before), ...added]);
  return checked(wanted, file, () => {
    const entries = added.map((id) => ({ ...entryOf(id), value: id, recorded: 'lock' as const }));
    return editManagedYaml(text, entries, undefined, file).text ?? '';
  });
}

/** Removes ids from `defaults.exclude` and leaves all other bytes unchanged. Removes the list with its last id. */
export function removeFromExclude(text: string, ids: readonly string[], file: string): ExcludeEdit {
  const before = readSyncFile(text, file);
  const left = excludeList(before).filter((id) => !ids.includes(id));
  if (left.length === excludeList(before).length) return { kind: 'edited', text };
  return checked(withExclude(before, left), file, () => {
    let edited = text;
    // A list may contain an id twice, so this runs until none is left.
    for (const id of excludeList(before).filter((listed) => ids.includes(listed))) {
      const entry = { ...entryOf(id), hash: jsonHash(id) };
      const owned = { created_file: false, created: [['defaults'], LIST], opened: [] };
      edited = editManagedYaml(edited, [], { ...owned, entries: [entry] }, file).text ?? '';
    }
    return edited;
  });
}

export function excludeList({ defaults }: SyncFile): readonly string[] {
  return defaults?.exclude ?? [];
}

function entryOf(id: string): {
  shape: 'array';
  container: string[];
  key: string;
  artifact_id: string;
} {
  return { shape: 'array', container: LIST, key: id, artifact_id: id };
}

function withExclude(content: SyncFile, exclude: readonly string[]): SyncFile {
  const { defaults = {}, ...others } = content;
  const { exclude: _, ...rest } = defaults;
  const changed = exclude.length === 0 ? rest : { ...rest, exclude: [...exclude] };
  return Object.keys(changed).length === 0 ? others : { ...others, defaults: changed };
}

/** Returns an edited file only if its parsed content is exactly as intended. */
function checked(wanted: SyncFile, file: string, edit: () => string): ExcludeEdit {
  try {
    const text = edit();
    if (isSame(readSyncFile(text, file), wanted)) return { kind: 'edited', text };
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    return { kind: 'refused', reason: error.message };
  }
  return { kind: 'refused', reason: 'catalog cannot edit the layout of this file.' };
}

/** Compares values, ignoring prototypes, which parsed YAML lacks. */
function isSame(one: SyncFile, other: SyncFile): boolean {
  return isDeepStrictEqual(structuredClone(one), structuredClone(other));
}
