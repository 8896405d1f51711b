import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** Every file below a folder with a hash of its content, by path from the folder. */
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

/** Paths from the folder, in no particular order. */
export function listFiles(folder: string): string[] {
  const files: string[] = [];
  const folders = [''];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of readdirSync(`${folder}/${at}`, { withFileTypes: true })) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory()) folders.push(path);
      else files.push(path);
    }
  }
  return files;
}
