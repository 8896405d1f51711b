import { parentPath } from '@catalog/core/text/slash-path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { foldPath } from '@catalog/core/artifact/safe-path';
import type { HarnessAdapter } from './adapter.ts';
import { equalBytes } from './equal-bytes.ts';
import type { PlannedEntry, PlannedFile, PlannedSource, PlanOptions } from './planned.ts';

export interface PlannedClash {
  place: string;
  /** The two ids in order; equal if an artifact clashes with itself. */
  artifact_ids: [string, string];
}

/**
 * Finds artifacts that clash: equal paths, even only on some file systems; equal names in a shared map; a path that is
 * a file for one and a folder for the other; or a generated file with merged entries.
 */
export function findClashes(
  files: readonly PlannedFile[],
  entries: readonly PlannedEntry[],
): PlannedClash[] {
  const clashes: PlannedClash[] = [];
  const owners = new Map<string, PlannedFile>();
  for (const file of files) {
    const path = foldPath(file.path);
    const other = owners.get(path);
    if (other === undefined) owners.set(path, file);
    else if (!isShared(other, file)) clashes.push(clash(file.path, other, file));
  }
  return [...clashes, ...findFolderClashes(owners), ...findEntryClashes(entries, owners)];
}

/**
 * Finds skills with the same name in several folders, of which the product lists only one. Commands written as skills
 * count.
 */
export function findSkillClashes(
  files: readonly PlannedFile[],
  { id, skill_folders, deduplicates_skills }: HarnessAdapter,
): PlannedClash[] {
  if (deduplicates_skills !== 'by_name') return [];
  const clashes: PlannedClash[] = [];
  const owners = new Map<string, PlannedFile>();
  for (const file of files) {
    const folder = parentPath(file.path);
    if (file.path !== `${folder}/SKILL.md` || !skill_folders.includes(parentPath(folder))) continue;
    const name = folder.slice(parentPath(folder).length + 1);
    const other = owners.get(foldPath(name));
    if (other === undefined) owners.set(foldPath(name), file);
    else if (other.artifact_id !== file.artifact_id) {
      clashes.push(clash(`the skill name ${name} in ${id}`, other, file));
    }
  }
  return clashes;
}

function isShared(one: PlannedFile, other: PlannedFile): boolean {
  return one.shared === true && other.shared === true && equalBytes(one.bytes, other.bytes);
}

function findFolderClashes(owners: ReadonlyMap<string, PlannedFile>): PlannedClash[] {
  const clashes: PlannedClash[] = [];
  let known = '';
  for (const [path, file] of owners) {
    const folder = parentPath(path);
    for (let above = folder; above !== '' && !isIn(known, above); above = parentPath(above)) {
      const other = owners.get(above);
      if (other !== undefined) clashes.push(clash(other.path, other, file));
    }
    known = folder;
  }
  return clashes;
}

function isIn(path: string, folder: string): boolean {
  return path.startsWith(folder) && (path.length === folder.length || path[folder.length] === '/');
}

function findEntryClashes(
  entries: readonly PlannedEntry[],
  owners: ReadonlyMap<string, PlannedFile>,
): PlannedClash[] {
  const clashes: PlannedClash[] = [];
  const names = new Map<string, PlannedEntry>();
  for (const planned of entries) {
    const { path, entry } = planned;
    const file = owners.get(foldPath(path));
    if (file !== undefined) clashes.push(clash(path, file, planned));
    const place = `${path}: ${[...entry.container, entry.key].join('.')}`;
    const other = names.get(place);
    if (other === undefined) names.set(place, planned);
    else if (entry.if_absent !== true) clashes.push(clash(place, other, planned));
  }
  return clashes;
}

function clash(place: string, one: PlannedSource, other: PlannedSource): PlannedClash {
  const ids = [one.artifact_id, other.artifact_id] as const;
  return { place, artifact_ids: ids[0] <= ids[1] ? [ids[0], ids[1]] : [ids[1], ids[0]] };
}

const NAMED_CLASHES = 10;

export function clashError(
  clashes: readonly PlannedClash[],
  harness: string,
  { on_clash }: PlanOptions,
): CatalogError {
  const pairs = new Map<string, PlannedClash>();
  for (const clash of clashes) {
    const pair = clash.artifact_ids.join('\0');
    if (!pairs.has(pair)) pairs.set(pair, clash);
  }
  const lines = Array.from(pairs.values(), ({ place, artifact_ids: [one, other] }) =>
    one === other ? `${one} wants ${place} twice` : `${one} and ${other} both want ${place}`,
  );
  const named = lines.slice(0, NAMED_CLASHES);
  const rest = lines.length - named.length;
  if (rest > 0) named.push(`and ${rest} more`);
  const qualify =
    on_clash === 'qualify' ? '' : ', or name each after its domain with `--on-clash qualify`';
  return new CatalogError(
    'materialize.clash',
    `Artifacts are in each other's way in ${harness}: ${named.join('; ')}.`,
    {
      details: {
        clashes: Array.from(pairs.values(), ({ place, artifact_ids: [existing, incoming] }) => ({
          path: place,
          existing,
          incoming,
        })),
      },
      suggested_action: `Rename one of the two, or leave it out with \`--exclude <id>\`${qualify}.`,
    },
  );
}
