import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
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

/** Writes a tree of files, folders included. */
export function writeTree(root: string, files: FileTree): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(file, content);
    else writeFileSync(file, content.x, { mode: 0o755 });
  }
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
