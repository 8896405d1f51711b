import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MANIFEST_FILE, NEW_MANIFEST_FILE, OBJECTS_FOLDER, TABLES_FOLDER } from './manifest.ts';

export interface KeptBackup {
  folder: string;
  complete: boolean;
}

const NAME = /^\d{4}-\d\d-\d\dT\d{6}Z$/;

/**
 * Returns a name such as `2026-01-02T030405Z`, which sorts by time and is valid on every file
 * system.
 */
export function nameBackup(time: Date): string {
  return `${time.toISOString().slice(0, 19).replaceAll(':', '')}Z`;
}

/** Lists the newest first, and ignores directories with other names or other content. */
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
 * Removes all complete backups except the newest `keep`. The manifest of a backup is removed first, so that an
 * interrupted removal leaves an incomplete backup.
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
