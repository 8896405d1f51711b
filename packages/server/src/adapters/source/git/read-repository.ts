import type { LayerRecord } from '@catalog/core/ports/layers';
import type { SourceReading, SourceRequest } from '@catalog/core/ports/layer-source';
import { openContents } from './contents.ts';
import { fetchRef, type Repository } from './fetch.ts';
import type { GitOptions } from './git-options.ts';
import { openObjects, type ObjectReader } from './object-reader.ts';
import { readChanges, readWhole, type CommitTree } from './read-commit.ts';
import { readRef, type RefMeaning } from './ref-name.ts';
import { readState } from './source-state.ts';
import { unreachable } from '../unreachable.ts';

/** A reading, but for the size of the copy it leaves. */
export type RepositoryReading = Omit<SourceReading, 'copy_bytes'>;

/** Fetches what a layer's ref means now, and reads what changed, or everything. */
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
    const before = state === undefined ? undefined : await getCommit(reader, state.commit);
    const known = before === undefined ? [] : [before.commit];
    const tip = await fetchRef(repository, meaning, known, signal);
    const now = await loadCommit(reader, layer, tip);
    const rewritten =
      state !== undefined && !(await leadsTo(repository, state.commit, now.commit, signal))
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

/** A commit that is here with its folders. */
async function getCommit(reader: ObjectReader, commit: string): Promise<CommitTree | undefined> {
  const found = await readCommit(reader, commit);
  if (found === undefined) return undefined;
  const [tree] = await reader.headers([found.tree]);
  return tree === undefined ? undefined : found;
}

/** What the ref leads to; a tag may lead to something else than a commit. */
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

/** Whether a history contains a commit. One that is not even here is not in it: all of it was fetched. */
async function leadsTo(
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
