import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MANIFEST_FILE, NEW_MANIFEST_FILE, OBJECTS_FOLDER, TABLES_FOLDER } from './manifest.ts';

/** A backup in a directory of backups that is named after the time it started. */
export interface KeptBackup {
  folder: string;
  /** An interrupted one is not. */
  complete: boolean;
}

const NAME = /^\d{4}-\d\d-\d\dT\d{6}Z$/;

/** `2026-01-02T030405Z`: names sort by time, and every file system accepts them. */
export function nameBackup(time: Date): string {
  return `${time.toISOString().slice(0, 19).replaceAll(':', '')}Z`;
}

/** Lists the backups in a directory, newest first. Everything with another name, or other content, is ignored. */
export async function listBackups(directory: string): Promise<KeptBackup[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory() && NAME.test(entry.name));
  const backups: KeptBackup[] = [];
  for (const { name } of names.toSorted((a, b) => (a.name < b.name ? 1 : -1))) {
    const folder = join(directory, name);
    const content = await readdir(folder);
    if (!content.includes(TABLES_FOLDER) || !content.every((one) => OWN.has(one))) continue;
    backups.push({ folder, complete: content.includes(MANIFEST_FILE) });
  }
  return backups;
}

const OWN: ReadonlySet<string> = new Set([
  MANIFEST_FILE,
  NEW_MANIFEST_FILE,
  TABLES_FOLDER,
  OBJECTS_FOLDER,
]);

/**
 * Removes the backups that are older than the newest `keep` complete ones, the oldest first, and returns
 * their directories. The manifest goes first: a backup that is removed in part is not complete.
 */
export async function removeOldBackups(directory: string, keep: number): Promise<string[]> {
  const backups = await listBackups(directory);
  const oldest_kept = backups.filter(({ complete }) => complete)[keep - 1];
  if (oldest_kept === undefined) return [];
  const old = backups.slice(backups.indexOf(oldest_kept) + 1).reverse();
  for (const { folder } of old) {
    await rm(join(folder, MANIFEST_FILE), { force: true });
    await rm(folder, { recursive: true });
  }
  return old.map(({ folder }) => folder);
}
