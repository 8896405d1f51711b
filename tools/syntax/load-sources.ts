import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const NOT_SOURCE: ReadonlySet<string> = new Set(['node_modules', 'dist', 'golden']);

/** By path. Loads only TypeScript by default. */
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
