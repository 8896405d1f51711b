import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const NOT_SOURCE: ReadonlySet<string> = new Set(['node_modules', 'dist', 'golden']);

/** Loads the files under some folders of a repository, by path; only TypeScript unless `endings` is given. */
export function loadSources(
  root: string,
  folders: readonly string[],
  endings: readonly string[] = ['.ts', '.tsx'],
): Map<string, string> {
  const files = new Map<string, string>();
  for (const folder of folders) if (existsSync(join(root, folder))) collect(folder);
  return files;

  function collect(folder: string): void {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory() && !NOT_SOURCE.has(entry.name)) collect(path);
      else if (entry.isFile() && endings.some((ending) => entry.name.endsWith(ending))) {
        files.set(path, readFileSync(join(root, path), 'utf8'));
      }
    }
  }
}
