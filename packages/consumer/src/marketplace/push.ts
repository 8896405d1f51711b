import { existsSync } from 'node:fs';
import type { MarketplaceTarget } from '../config/types.ts';
import { parseLock } from '../lock/read-lock.ts';
import { emptyLock, type LockFile } from '../lock/types.ts';
import { listMoves } from '../sync/artifact-moves.ts';
import { commitOf, remoteTip } from './check-out.ts';
import { commitMessage } from './commit-message.ts';
import type { Git } from './git.ts';

const LOCK = '.catalog/sync.lock';

export async function push(
  target: MarketplaceTarget,
  destination: NonNullable<MarketplaceTarget['git']>,
  lock: LockFile,
  git: Git,
  at: number,
): Promise<string | undefined> {
  const published = await lockOf('HEAD', git);
  const paths = await stage(target, lock, published, git);
  if (paths.length > 0) {
    const moves = listMoves(ownRows(published, target), ownRows(lock, target));
    await commit(commitMessage(target, moves, at), paths, git);
  }
  const tip = await commitOf('HEAD', git);
  if (tip === undefined || tip === (await remoteTip(destination, git))) return undefined;
  const refs = `refs/heads/${destination.branch}:refs/heads/${destination.branch}`;
  await git.run(['push', '--quiet', destination.remote, refs], REFUSED);
  return tip;
}

const REFUSED =
  'If another push came first, run again for instructions on merging. Otherwise check that git can write there with its own credential helpers and keys.';

function ownRows({ artifacts }: LockFile, { id }: MarketplaceTarget): LockFile['artifacts'] {
  return artifacts.filter((row) => row.target === id);
}

async function lockOf(name: string, git: Git): Promise<LockFile> {
  const { status, stdout } = await git.try(['show', `${name}:${LOCK}`]);
  return status === 0 ? parseLock(stdout, `${name}:${LOCK}`) : emptyLock();
}

async function stage(
  { id, directory }: MarketplaceTarget,
  lock: LockFile,
  published: LockFile,
  git: Git,
): Promise<string[]> {
  const pathsOf = ({ files }: LockFile): string[] =>
    files.filter(({ target }) => target === id).map(({ path }) => path);
  const wanted = new Set([...pathsOf(lock), LOCK]);
  const gone = pathsOf(published).filter(
    (path) => !wanted.has(path) && !existsSync(`${directory}/${path}`),
  );
  const tracked = new Set(await listFiles(['ls-files', '-z'], git));
  const paths = [...wanted, ...new Set(gone.filter((path) => tracked.has(path)))];
  // Ignore files must not affect rendered files.
  await git.run(['add', '--all', '--force', ...FROM_INPUT], STAGING, paths.join('\0'));
  const changed = new Set(await listFiles(['diff', '--cached', '--name-only', '-z'], git));
  return paths.filter((path) => changed.has(path));
}

const FROM_INPUT = ['--pathspec-from-file=-', '--pathspec-file-nul'];
const STAGING = 'Run `git status` in the folder, fix the problem git reports, then run again.';

async function listFiles(words: readonly string[], git: Git): Promise<string[]> {
  return (await git.run(words, STAGING)).split('\0').filter((path) => path !== '');
}

/** Commits the given paths, even if the user has staged others. */
async function commit(message: string, paths: readonly string[], git: Git): Promise<void> {
  await git.run(
    ['commit', '--quiet', '--only', `--message=${message}`, ...FROM_INPUT],
    'If git does not know your identity, set publish.git.author to `Name <email>`, or run git config user.name and user.email.',
    paths.join('\0'),
  );
}
