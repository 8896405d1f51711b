import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Compared with `===`: kind and mode, then content. A tree contains no folders. */
export type Leaf = string;

export type Tree = Map<string, Leaf>;

const RECORDS: ReadonlySet<string> = new Set([
  '.catalog/state',
  '.catalog/state.key',
  '.catalog/sync.lock',
]);

/** File of a killed command, if the home folder is the workspace. */
const TEMPORARY = /^\.catalog\/\.[0-9a-f-]{36}$/;

export function readTree(directory: string): Tree {
  const tree: Tree = new Map();
  visit('');
  return tree;

  function visit(folder: string): void {
    for (const entry of readdirSync(`${directory}/${folder}`, { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (RECORDS.has(path) || TEMPORARY.test(path)) continue;
      if (entry.isDirectory()) visit(path);
      else tree.set(path, readLeaf(`${directory}/${path}`));
    }
  }
}

export function readLeaf(path: string): Leaf {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return `link ${readlinkSync(path)}`;
  return toLeaf(readFileSync(path, 'latin1'), stats.mode & 0o777);
}

export function toLeaf(content: string, mode: number): Leaf {
  return `${mode.toString(8).padStart(3, '0')} ${content}`;
}

export function isLink(leaf: Leaf): boolean {
  return leaf.startsWith('link ');
}

export function contentOf(leaf: Leaf): string {
  return leaf.slice('644 '.length);
}

export function modeOf(leaf: Leaf): number {
  return isLink(leaf) ? 0o777 : Number.parseInt(leaf.slice(0, 3), 8);
}

export function isExecutable(leaf: Leaf): boolean {
  return (modeOf(leaf) & 0o100) !== 0;
}

/** True if two leaves have the same content and executable bit, like in catalog's own comparison. */
export function isSameFile(a: Leaf | undefined, b: Leaf | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (isLink(a) || isLink(b)) return a === b;
  return contentOf(a) === contentOf(b) && isExecutable(a) === isExecutable(b);
}
