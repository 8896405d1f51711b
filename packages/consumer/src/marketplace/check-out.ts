import { existsSync, mkdirSync } from 'node:fs';
import type { MarketplaceTarget } from '../config/types.ts';
import { refuseDirectory } from '../paths/refuse-directory.ts';
import { withoutSecrets } from './without-secrets.ts';
import type { Git } from './git.ts';

/** Reference of the last published commit, separate from the user's own. */
const PUBLISHED = 'refs/catalog/published';

type Destination = NonNullable<MarketplaceTarget['git']>;

/** Moves the repository forward to the branch. Never overwrites local commits or files. */
export async function checkOut(
  directory: string,
  destination: Destination,
  git: Git,
): Promise<void> {
  const { branch } = destination;
  refuseDirectory(directory, directory, 'target');
  mkdirSync(directory, { recursive: true });
  if (!existsSync(`${directory}/.git`)) {
    await git.run(['init', '--quiet', `--initial-branch=${branch}`], GIT_MISSING);
  }
  const head = (await git.try(['symbolic-ref', '--short', 'HEAD'])).stdout.trim();
  if (head !== branch) {
    throw git.fail(
      `${directory} is on ${head === '' ? 'no branch' : head}, but ${branch} is to be published.`,
      `Run \`git switch ${branch}\` in ${directory}, or set the branch in the target.`,
    );
  }
  if ((await remoteTip(destination, git)) === undefined) return;
  const refs = `+refs/heads/${branch}:${PUBLISHED}`;
  await git.run(['fetch', '--quiet', '--no-tags', destination.remote, refs], UNREACHABLE);
  if (await isAncestor(PUBLISHED, 'HEAD', git)) return;
  if ((await commitOf('HEAD', git)) !== undefined && !(await isAncestor('HEAD', PUBLISHED, git))) {
    throw git.fail(
      `${directory} and ${branch} on ${withoutSecrets(destination.remote)} have diverged.`,
      `Merge them with git in ${directory}, or move that folder away and run again, which renders everything on top of the published branch.`,
    );
  }
  await git.run(
    ['merge', '--quiet', '--ff-only', PUBLISHED],
    `Move the files that git lists out of ${directory}, then run again.`,
  );
}

const GIT_MISSING = 'Install git, and add it to PATH.';
const UNREACHABLE =
  'Check the URL, and that git can sign in there with its own credential helpers and keys.';

/** Returns the commit of the remote branch; undefined if there is none. */
export async function remoteTip(
  { remote, branch }: Destination,
  git: Git,
): Promise<string | undefined> {
  const words = ['ls-remote', '--heads', remote, `refs/heads/${branch}`];
  const [line = ''] = (await git.run(words, UNREACHABLE)).split('\n');
  const [commit = ''] = line.split('\t');
  return commit === '' ? undefined : commit;
}

export async function commitOf(name: string, git: Git): Promise<string | undefined> {
  const { status, stdout } = await git.try([
    'rev-parse',
    '--verify',
    '--quiet',
    `${name}^{commit}`,
  ]);
  return status === 0 ? stdout.trim() : undefined;
}

async function isAncestor(one: string, other: string, git: Git): Promise<boolean> {
  return (await git.try(['merge-base', '--is-ancestor', one, other])).status === 0;
}
