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

/** A file as it should be on disk. */
export interface GoldenFile {
  bytes: Uint8Array;
  executable: boolean;
}

/**
 * Compares a tree of files with the one kept in a folder, byte for byte and by the executable bit,
 * and returns what differs. Under `CATALOG_GOLDEN=write` the folder is made equal instead: the diff
 * is then for a person to read.
 */
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
