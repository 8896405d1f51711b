import type { LayerRecord } from '@catalog/core/ports/layers';
import type { SourceReading, SourceRequest } from '@catalog/core/ports/layer-source';
import { openContents } from './contents.ts';
import { checkObjects, fetchRef, type Repository } from './fetch.ts';
import type { GitOptions } from './git-options.ts';
import { type ObjectReader, openObjects } from './object-reader.ts';
import { type CommitTree, readChanges, readWhole } from './read-commit.ts';
import { readRef, type RefMeaning } from './ref-name.ts';
import { readState } from './source-state.ts';
import { unreachable } from '../unreachable.ts';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = 'last-read';

/** Returns the last commit that was read; undefined for a new repository or one of an older release. */
async function getLastRead(repository: string): Promise<string | undefined> {
  const text = await readFile(join(repository, FILE), 'latin1').catch(() => '');
  return /^[0-9a-f]{40}$/.test(text) ? text : undefined;
}

async function putLastRead(repository: string, commit: string): Promise<void> {
  await writeFile(join(repository, FILE), commit);
}

export type RepositoryReading = Omit<SourceReading, 'copy_bytes'>;

export async function readRepository(
  repository: Repository,
  request: SourceRequest,
  limits: GitOptions['limits'],
  signal: AbortSignal,
): Promise<RepositoryReading> {
  const { git, layer, folder } = repository;
  const meaning = loadRef(layer);
  const state = readState(layer);
  const reader = openObjects(git, folder);
  const close = (): void => reader.close();
  signal.addEventListener('abort', close);
  try {
    const known = await getKnown(reader, (await getLastRead(folder)) ?? state?.commit);
    const tip = await fetchRef(repository, meaning, known, signal);
    const hasMore = known === undefined && (await getKnown(reader, tip)) !== undefined;
    if (hasMore) await checkObjects(repository, signal);
    const now = await loadCommit(reader, layer, tip);
    // Another process may have read this commit. It is then missing here until the fetch, and possibly incomplete after
    // it.
    const before = state === undefined ? undefined : await readCommit(reader, state.commit);
    const rewritten =
      state !== undefined && !(await historyContains(repository, state.commit, now.commit, signal))
        ? state.commit
        : undefined;
    const contents = openContents(repository, reader, signal);
    const commit = { layer, contents, limits, now };
    const links = state?.links ?? undefined;
    const isWhole =
      request.full || rewritten !== undefined || before === undefined || links === undefined;
    const reading = isWhole
      ? await readWhole(commit)
      : await readChanges(commit, before, links, request.retry);
    await putLastRead(folder, now.commit);
    return { ...reading, rewritten };
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}

function loadRef(layer: LayerRecord): RefMeaning {
  const meaning = readRef(layer.ref);
  if (meaning !== undefined) return meaning;
  throw unreachable(
    layer,
    'its ref is not a valid name of a branch or tag',
    'Set `ref` to a branch, a tag, a full ref, or a commit id.',
  );
}

async function getKnown(
  reader: ObjectReader,
  commit: string | undefined,
): Promise<string | undefined> {
  const found = commit === undefined ? undefined : await readCommit(reader, commit);
  if (found === undefined) return undefined;
  const [tree] = await reader.headers([found.tree]);
  return tree === undefined ? undefined : found.commit;
}

/** Loads the commit of a ref. Rejects tags of other objects. */
async function loadCommit(
  reader: ObjectReader,
  layer: LayerRecord,
  tip: string,
): Promise<CommitTree> {
  const found = await readCommit(reader, tip);
  if (found !== undefined) return found;
  throw unreachable(
    layer,
    'its ref does not lead to a commit',
    'Set `ref` to a branch, tag, or commit.',
  );
}

async function readCommit(reader: ObjectReader, name: string): Promise<CommitTree | undefined> {
  const [header] = await reader.headers([`${name}^{commit}`]);
  if (header === undefined) return undefined;
  const [commit] = await reader.contents([header.object]);
  const tree = /^tree ([0-9a-f]{40})\n/.exec(Buffer.from(commit?.bytes ?? []).toString('latin1'));
  return tree?.[1] === undefined ? undefined : { commit: header.object, tree: tree[1] };
}

/**
 * Returns true if a history contains a commit. Histories are always complete, so a missing commit is not part of one.
 */
async function historyContains(
  { git, folder }: Repository,
  earlier: string,
  later: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (earlier === later) return true;
  const words = ['merge-base', '--is-ancestor', earlier, later];
  const { status } = await git.run(words, { repository: folder }, signal);
  return status === 0;
}
