import type { ManagedEntry } from '../adapter.ts';
import { formatOf, type ManagedFormat } from './format-of.ts';
import { editManagedJson } from './json/edit-managed-json.ts';
import type { EditManaged, ManagedEdit, OwnedEntry, OwnedFile } from './managed-file.ts';
import { editManagedMarkdown } from './markdown/edit-managed-markdown.ts';
import { findPresent, type PresentEntry } from './present-entries.ts';
import { foreignEntry } from './refusals.ts';
import { editManagedToml } from './toml/edit-managed-toml.ts';
import { editManagedYaml } from './yaml/edit-managed-yaml.ts';

const EDITORS: Readonly<Record<ManagedFormat, EditManaged>> = {
  json: editManagedJson,
  toml: editManagedToml,
  yaml: editManagedYaml,
  markdown: editManagedMarkdown,
};

export interface SharedEdit extends ManagedEdit {
  /** Entries that the user already had with the same value, and that stay the user's. */
  pre_existing: ManagedEntry[];
  /** Entries of the user that became managed by `claims`. */
  claimed: ManagedEntry[];
}

/**
 * Edits a file. An entry of the user is never changed: an equal one is reported as existing, a different one as a
 * clash, unless `claims` makes it managed.
 */
export function editManagedFile(
  text: string | undefined,
  desired: readonly ManagedEntry[],
  owned: OwnedFile | undefined,
  file: string,
  kept: readonly OwnedEntry[] = [],
  claims: (present: PresentEntry) => boolean = () => false,
): SharedEdit {
  const ownedEntries = [...(owned?.entries ?? []), ...kept];
  const present = text === undefined ? [] : findPresent(text, desired, ownedEntries, file);
  const claimed = present.filter(claims);
  const userEntries = present.filter((one) => !claimed.includes(one));
  const clash = userEntries.find(({ equal }) => !equal);
  if (clash !== undefined) throw foreignEntry(file, clash.entry);
  const pre_existing = userEntries.map(({ entry }) => entry);
  const edit = EDITORS[formatOf(file)](
    text,
    desired.filter((entry) => !pre_existing.includes(entry)),
    withClaimed(owned, claimed),
    file,
    kept,
  );
  return { ...edit, pre_existing, claimed: claimed.map(({ entry }) => entry) };
}

/** Returns true for exactly the value that catalog wrote. */
export function holdsEntry(text: string, entry: OwnedEntry, file: string): boolean {
  const owned = { created_file: false, created: [], opened: [], entries: [entry] };
  const { changed, edited } = editManagedFile(text, [], owned, file);
  return changed && edited !== true;
}

function withClaimed(
  owned: OwnedFile | undefined,
  claimed: readonly PresentEntry[],
): OwnedFile | undefined {
  if (claimed.length === 0) return owned;
  const { created_file = false, created = [], opened = [], entries = [] } = owned ?? {};
  const rows = claimed.map(({ entry: { shape, container, key, artifact_id }, hash }) => ({
    shape,
    container: [...container],
    key,
    artifact_id,
    hash,
  }));
  return { created_file, created, opened, entries: [...entries, ...rows] };
}
