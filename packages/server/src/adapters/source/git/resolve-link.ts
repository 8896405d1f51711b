import { REFUSAL } from '@catalog/core/layer/collect-snapshot';
import { parentPath } from '@catalog/core/text/slash-path';
import type { Contents } from './contents.ts';
import type { TreeItem } from './parse-tree.ts';

export type LinkTarget =
  | { kind: 'found'; item: TreeItem; path: string }
  | { kind: 'lost'; reason: string };

/** The same limit as in the Linux kernel. */
const MAX_LINKS = 40;
export const MAX_TARGET_LENGTH = 4096;

export interface LinkContext {
  contents: Contents;
  commit_tree: string;
  /** Returns the target of a link; undefined if no file system could store it. */
  targetOf: (item: TreeItem) => Promise<string | undefined>;
}

const MISSING: LinkTarget = { kind: 'lost', reason: REFUSAL.link_nowhere };
const OUTSIDE: LinkTarget = { kind: 'lost', reason: REFUSAL.link_outside };
const CIRCLE: LinkTarget = { kind: 'lost', reason: REFUSAL.link_circle };

/**
 * Follows a link within the commit, never on a file system. Paths are relative to the top of the
 * repository; the caller checks if the target belongs to the layer.
 */
export async function resolveLink(
  { contents, commit_tree, targetOf }: LinkContext,
  path: string,
  link: TreeItem,
): Promise<LinkTarget> {
  const names = segmentsOf(parentPath(path));
  let item = link;
  let rest: string[] = [];
  for (let followed = 0; ;) {
    if (item.kind === 'link') {
      followed += 1;
      if (followed > MAX_LINKS) return CIRCLE;
      const target = await targetOf(item);
      if (target === undefined || target === '') return MISSING;
      if (target.startsWith('/')) return OUTSIDE;
      rest = [...target.split('/'), ...rest];
    } else {
      names.push(item.name);
      if (rest.length === 0) return { kind: 'found', item, path: names.join('/') };
      if (item.kind !== 'folder') return MISSING;
    }
    for (let step = rest[0]; step === '' || step === '.' || step === '..'; step = rest[0]) {
      rest.shift();
      if (step === '..' && names.pop() === undefined) return OUTSIDE;
    }
    const name = rest.shift();
    const folder = await folderAt(contents, commit_tree, names);
    if (folder === undefined) return MISSING;
    if (name === undefined) return foundFolder(folder, names);
    const next = contents.itemsOf(folder).find((child) => child.name === name);
    if (next === undefined) return MISSING;
    item = next;
  }
}

function foundFolder(tree: string, names: readonly string[]): LinkTarget {
  const item: TreeItem = {
    name: names.at(-1) ?? '',
    kind: 'folder',
    executable: false,
    object: tree,
  };
  return { kind: 'found', item, path: names.join('/') };
}

async function folderAt(
  contents: Contents,
  top: string,
  names: readonly string[],
): Promise<string | undefined> {
  let tree = top;
  for (const name of names) {
    await contents.loadTrees([tree]);
    const item = contents.itemsOf(tree).find((child) => child.name === name);
    if (item?.kind !== 'folder') return undefined;
    tree = item.object;
  }
  await contents.loadTrees([tree]);
  return tree;
}

function segmentsOf(path: string): string[] {
  return path === '' ? [] : path.split('/');
}
