import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** Returns a hash of the content of every file in a folder, by path relative to the folder. */
export function hashTree(
  folder: string,
  keep: (path: string) => boolean = () => true,
): Map<string, string> {
  return new Map(
    listFiles(folder)
      .filter(keep)
      .map((path) => [path, hash('sha256', readFileSync(`${folder}/${path}`))]),
  );
}

export function countFiles(folder: string): number {
  return listFiles(folder).length;
}

/** Lists paths relative to the folder, in no particular order. */
export function listFiles(folder: string): string[] {
  return listEntries(folder).filter((path) => !path.endsWith('/'));
}

/** Lists files and folders; folders end with `/`. */
export function listEntries(folder: string): string[] {
  const entries: string[] = [];
  const folders = [''];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of readdirSync(`${folder}/${at}`, { withFileTypes: true })) {
      const path = entry.isDirectory() ? `${at}${entry.name}/` : `${at}${entry.name}`;
      entries.push(path);
      if (entry.isDirectory()) folders.push(path);
    }
  }
  return entries;
}
