import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

export function temporaryFolder(name = 'catalog-test-'): string {
  const folder = mkdtempSync(join(tmpdir(), name));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Files by path; `x` marks executable ones. */
export type FileTree = Readonly<Record<string, string | Uint8Array | { x: string }>>;

/** Writes files that only the owner can change, whatever the umask. */
export function writeTree(root: string, files: FileTree): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
    if (typeof content === 'string' || content instanceof Uint8Array) {
      writeFileSync(file, content, { mode: 0o644 });
    } else writeFileSync(file, content.x, { mode: 0o755 });
  }
}

/** Replaces files atomically: a watcher never sees an empty folder. */
export function replaceTree(root: string, files: FileTree): void {
  const staging = `${root}.staging`;
  writeTree(staging, files);
  for (const path of Object.keys(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true, mode: 0o755 });
    renameSync(join(staging, path), join(root, path));
  }
  rmSync(staging, { recursive: true, force: true });
  removeOthers(root, new Set(Object.keys(files)));
}

/** Removes other files. Returns true if nothing is left. */
function removeOthers(root: string, kept: ReadonlySet<string>, folder = ''): boolean {
  let isEmpty = true;
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    const isRemoved = entry.isDirectory() ? removeOthers(root, kept, path) : !kept.has(path);
    if (isRemoved) rmSync(join(root, path), { recursive: true });
    else isEmpty = false;
  }
  return isEmpty;
}

/** Reads files and marks executable ones; `skip` lists prefixes to leave out. */
export function readTree(root: string, skip: readonly string[] = []): Record<string, string> {
  const files: Record<string, string> = {};
  function visit(folder: string): void {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (skip.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))) continue;
      if (entry.isDirectory()) visit(path);
      else if (entry.isSymbolicLink()) files[path] = '(link)';
      else {
        const mark = (statSync(join(root, path)).mode & 0o100) === 0 ? '' : '(x) ';
        files[path] = mark + readFileSync(join(root, path), 'latin1');
      }
    }
  }
  visit('');
  return Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
}
