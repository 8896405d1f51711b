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

/** A new folder that goes away with the test. */
export function temporaryFolder(name = 'catalog-test-'): string {
  const folder = mkdtempSync(join(tmpdir(), name));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Files by path; a value is the text or bytes, `x` marks the executable ones. */
export type FileTree = Readonly<Record<string, string | Uint8Array | { x: string }>>;

/** Writes a tree of files, folders included. Only the owner can change them, whatever the umask is. */
export function writeTree(root: string, files: FileTree): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
    if (typeof content === 'string' || content instanceof Uint8Array) {
      writeFileSync(file, content, { mode: 0o644 });
    } else writeFileSync(file, content.x, { mode: 0o755 });
  }
}

/**
 * Makes a tree the content of a folder. A watcher of the folder sees each file with its old or its new
 * content, and never an empty folder between the two trees.
 */
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

/** Removes the files that are not in `kept`, and empty folders. Returns true if nothing is left. */
function removeOthers(root: string, kept: ReadonlySet<string>, folder = ''): boolean {
  let isEmpty = true;
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    const goes = entry.isDirectory() ? removeOthers(root, kept, path) : !kept.has(path);
    if (goes) rmSync(join(root, path), { recursive: true });
    else isEmpty = false;
  }
  return isEmpty;
}

/** Every file below a folder by path, as text, executable ones marked; `skip` leaves out by prefix. */
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
