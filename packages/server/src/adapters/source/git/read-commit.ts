import { collectSnapshot, REFUSAL } from '@catalog/core/layer/collect-snapshot';
import { keyOf, type LayerFolder } from '@catalog/core/layer/place-entries';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { SourceReading, SourceRequest } from '@catalog/core/ports/layer-source';
import { findRemoved, keysToRead } from '../removed-keys.ts';
import { changedKeys } from './changed-keys.ts';
import type { Contents } from './contents.ts';
import type { GitOptions } from './git-options.ts';
import { readEntries, type PlacedEntry } from './read-entries.ts';
import { writeState } from './source-state.ts';
import { tooMuch, unreachable } from '../unreachable.ts';
import { walkTrees } from './walk-trees.ts';

export interface CommitTree {
  commit: string;
  tree: string;
}

export interface CommitRequest {
  layer: LayerRecord;
  contents: Contents;
  limits: GitOptions['limits'];
  now: CommitTree;
}

type Reading = Omit<SourceReading, 'rewritten' | 'copy_bytes'>;

export async function readWhole(request: CommitRequest): Promise<Reading> {
  const root = await rootTree(request, request.now.tree);
  return read(request, root, undefined);
}

export async function readChanges(
  request: CommitRequest,
  before: CommitTree,
  links: readonly string[],
  retry: SourceRequest['retry'],
): Promise<Reading> {
  // Both commits are loaded together: a new repository has neither, and most of their content is equal.
  await request.contents.loadTrees([request.now.tree, before.tree]);
  const root = await rootTree(request, request.now.tree);
  const keys = keysToRead(retry);
  if (before.commit !== request.now.commit) {
    const old = await rootTree(request, before.tree);
    const changed = await changedKeys(request.contents, old, root, countUpTo(request));
    for (const key of [...changed, ...links]) keys.add(key);
  }
  const reading = await read(request, root, keys);
  // Links that were not read again have the same targets as before.
  return before.commit === request.now.commit
    ? { ...reading, source_state: writeState(request.layer, before.commit, new Set(links)) }
    : reading;
}

async function read(
  request: CommitRequest,
  root: string,
  keys: ReadonlySet<string> | undefined,
): Promise<Reading> {
  const { layer, contents, limits, now } = request;
  const collector = collectSnapshot(layer.id);
  const entries: PlacedEntry[] = [];
  const links = new Set<string>();
  const wanted = keys === undefined ? undefined : wantedFolders(keys);
  await walkTrees(contents, root, {
    count: countUpTo(request),
    ...(wanted === undefined ? {} : { isWanted: wanted }),
    onEntry: (entry, item) => {
      const key = keyOf(entry);
      if (keys !== undefined && !keys.has(key)) return;
      entries.push({ entry, item });
      if (item.kind === 'link') links.add(key);
    },
    onTooDeep: ({ path, package: owner }) => {
      if (keys !== undefined && !keys.has(owner ?? path)) return;
      collector.refuse(path, owner, REFUSAL.path_too_long);
    },
  });
  const place = { layer, contents, commit_tree: now.tree, most_bytes: limits.bytes };
  const advisories = await readEntries(place, entries, collector);
  const snapshot = collector.finish();
  return {
    reference: now.commit,
    source_state: writeState(layer, now.commit, links),
    complete: keys === undefined,
    snapshot,
    removed: keys === undefined ? { artifacts: [], domains: [] } : findRemoved(keys, snapshot),
    advisories,
  };
}

function wantedFolders(keys: ReadonlySet<string>): (folder: LayerFolder) => boolean {
  const above = new Set<string>();
  for (const key of keys) {
    for (let slash = key.indexOf('/'); slash !== -1; slash = key.indexOf('/', slash + 1)) {
      above.add(key.slice(0, slash));
    }
  }
  return ({ path, package: owner }) =>
    above.has(path) || keys.has(path) || (owner !== undefined && keys.has(owner));
}

function countUpTo({ layer, limits }: CommitRequest): (names: number) => void {
  let total = 0;
  return (names) => {
    total += names;
    if (total > limits.files) throw tooMuch(layer);
  };
}

async function rootTree({ layer, contents }: CommitRequest, tree: string): Promise<string> {
  let current = tree;
  for (const name of layer.root === '' ? [] : layer.root.split('/')) {
    await contents.loadTrees([current]);
    const item = contents.itemsOf(current).find((child) => child.name === name);
    if (item?.kind !== 'folder') {
      throw unreachable(
        layer,
        `its repository has no directory ${layer.root}`,
        'Set `root` to an existing directory, or to `/` for the entire repository.',
      );
    }
    current = item.object;
  }
  return current;
}
