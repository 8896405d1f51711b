import { execFileSync, spawnSync } from 'node:child_process';

/** Commits to check: `first`, if there is one, and those after `after` up to HEAD. */
export interface CommitRange {
  first: string | undefined;
  after: string;
}

export interface AddedText {
  file: string;
  text: string;
}

/** In order of preference. */
const MAIN_BRANCHES: readonly string[] = ['origin/main', 'main'];

/**
 * Selects the commits that are not on the main branch, but none older than the commit that added `text` to `file`. In a
 * shallow clone, git attributes every line to the oldest commit, which is then checked too.
 */
export function commitRange(root: string, { file, text }: AddedText): CommitRange {
  const [added = ''] = git(root, ['log', `-S${text}`, '--format=%H', '--', file]).split('\n');
  if (added === '') {
    throw new Error(`No commit has added ${text} to ${file}.`);
  }
  const base = mergeBase(root);
  return base !== undefined && isAncestor(root, added, base)
    ? { first: undefined, after: base }
    : { first: added, after: added };
}

function mergeBase(root: string): string | undefined {
  const head = git(root, ['rev-parse', 'HEAD']);
  for (const branch of MAIN_BRANCHES) {
    const { status, stdout } = spawnSync('git', ['merge-base', branch, 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
    });
    if (status === 0) return stdout.trim() === head ? undefined : stdout.trim();
  }
  return undefined;
}

function isAncestor(root: string, older: string, newer: string): boolean {
  const words = ['merge-base', '--is-ancestor', older, newer];
  return spawnSync('git', words, { cwd: root }).status === 0;
}

export function readMessage(root: string, commit: string): string {
  return git(root, ['log', '-1', '--format=%B', commit]);
}

function git(root: string, words: readonly string[]): string {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
}

export function listCommits(root: string, { first, after }: CommitRange): string[] {
  const newer = git(root, ['rev-list', `${after}..HEAD`]).split('\n');
  return [...newer, first ?? ''].filter((commit) => commit !== '');
}
