import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

export interface GoldenFile {
  bytes: Uint8Array;
  executable: boolean;
}

export interface GoldenTree {
  files: Map<string, GoldenFile>;
  copies: string[];
}

/**
 * Splits trees into the files to keep and a line per copy, with mode, path and source. A copy has the content of a
 * fixture, or of a file that was kept before.
 */
export function listCopies(
  trees: ReadonlyMap<string, ReadonlyMap<string, GoldenFile>>,
  fixture: ReadonlyMap<string, Uint8Array>,
): Map<string, GoldenTree> {
  const sources = new Map<string, string>();
  for (const [path, bytes] of fixture) addSource(sources, bytes, path);
  const split = new Map<string, GoldenTree>();
  for (const [name, tree] of trees) {
    const files = new Map<string, GoldenFile>();
    const copies: string[] = [];
    for (const [path, file] of tree) {
      const source = sources.get(toKey(file.bytes));
      if (source === undefined) files.set(path, file);
      else copies.push(`${file.executable ? '755' : '644'} ${path} = ${source}`);
      addSource(sources, file.bytes, `${name}/${path}`);
    }
    split.set(name, { files, copies });
  }
  return split;
}

function addSource(sources: Map<string, string>, bytes: Uint8Array, path: string): void {
  const key = toKey(bytes);
  if (!sources.has(key)) sources.set(key, path);
}

function toKey(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

/** Compares trees by content and executable bit. With `CATALOG_GOLDEN=write`, updates the folder instead. */
export function goldenDifferences(folder: string, tree: ReadonlyMap<string, GoldenFile>): string[] {
  if (process.env['CATALOG_GOLDEN'] === 'write') {
    writeGolden(folder, tree);
    return [];
  }
  const kept = new Set(listFiles(folder));
  const differences = [...tree].flatMap(([path, file]) =>
    kept.has(path) ? compare(join(folder, path), path, file) : [`${path} is new`],
  );
  const gone = [...kept].filter((path) => !tree.has(path)).map((path) => `${path} is gone`);
  return [...differences, ...gone];
}

function writeGolden(folder: string, tree: ReadonlyMap<string, GoldenFile>): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, { bytes, executable }] of tree) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    chmodSync(file, executable ? 0o755 : 0o644);
  }
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

function compare(file: string, path: string, expected: GoldenFile): string[] {
  const differences: string[] = [];
  if (!readFileSync(file).equals(expected.bytes)) differences.push(`${path} has other bytes`);
  const executable = (statSync(file).mode & 0o100) !== 0;
  if (executable !== expected.executable) differences.push(`${path} has another mode`);
  return differences;
}
