import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/** Change of a path; null removes it. */
export type GitChange =
  | string
  | Uint8Array
  | { x: string }
  | { link: string }
  | { submodule: string }
  | null;

export interface CommitOptions {
  branch?: string;
  /** Parents of the commit: the tip of the branch if absent, none if empty. A list without the tip rewrites history. */
  parents?: readonly string[];
  orphan?: boolean;
  message?: string;
}

export interface GitRepository {
  path: string;
  /** Commits changes to a branch (default `main`) and returns the commit. */
  commit(files: Readonly<Record<string, GitChange>>, options?: CommitOptions): string;
  tag(name: string, commit: string, annotated?: boolean): void;
  git(...words: string[]): string;
}

const AUTHOR = 'Ann Author <ann@example.com>';

/** Environment for git, without the settings of the developer. */
const ENVIRONMENT = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Ann Author',
  GIT_AUTHOR_EMAIL: 'ann@example.com',
  GIT_COMMITTER_NAME: 'Ann Author',
  GIT_COMMITTER_EMAIL: 'ann@example.com',
  GIT_AUTHOR_DATE: '1700000000 +0000',
  GIT_COMMITTER_DATE: '1700000000 +0000',
};

export function createGitRepository(path: string): GitRepository {
  mkdirSync(path, { recursive: true });
  let commits = 0;

  function git(...words: string[]): string {
    return run(words);
  }

  function run(words: readonly string[], input?: Uint8Array): string {
    const child = spawnSync('git', words, {
      cwd: path,
      env: ENVIRONMENT,
      input: input ?? '',
      maxBuffer: 1 << 30,
    });
    if (child.status !== 0) {
      throw new Error(`git ${words.join(' ')} ended with ${child.status}: ${String(child.stderr)}`);
    }
    return child.stdout.toString().trim();
  }

  git('init', '--quiet', '--bare', '--initial-branch=main', '.');
  git('config', 'uploadpack.allowFilter', 'true');

  return {
    path,
    git,
    commit: (files, { branch = 'main', parents, orphan = false, message = 'change' } = {}) => {
      commits += 1;
      const known = parents ?? tipOf(path, branch);
      const header = [
        `commit refs/heads/${branch}`,
        `committer ${AUTHOR} ${1_700_000_000 + commits} +0000`,
        `data ${Buffer.byteLength(message)}`,
        message,
        ...known.map((parent, index) => `${index === 0 ? 'from' : 'merge'} ${parent}`),
        ...(orphan ? ['deleteall'] : []),
        '',
      ].join('\n');
      const parts: Uint8Array[] = [];
      if (known.length === 0) parts.push(Buffer.from(`reset refs/heads/${branch}\n`));
      parts.push(Buffer.from(header));
      for (const [name, change] of Object.entries(files)) parts.push(changeOf(name, change));
      run(['fast-import', '--quiet', '--force', '--done'], Buffer.concat([...parts, DONE]));
      return git('rev-parse', `refs/heads/${branch}`);
    },
    tag: (name, commit, annotated = false) => {
      git('tag', '--force', ...(annotated ? ['-a', '-m', name] : []), name, commit);
    },
  };
}

const DONE = Buffer.from('\ndone\n');

function tipOf(path: string, branch: string): string[] {
  const words = ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`];
  const child = spawnSync('git', words, { cwd: path, env: ENVIRONMENT });
  return child.status === 0 ? [child.stdout.toString().trim()] : [];
}

function changeOf(name: string, change: GitChange): Uint8Array {
  const path = `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
  if (change === null) return Buffer.from(`D ${path}\n`);
  if (typeof change === 'string' || change instanceof Uint8Array) {
    return inline('100644', path, Buffer.from(change));
  }
  if ('x' in change) return inline('100755', path, Buffer.from(change.x));
  if ('link' in change) return inline('120000', path, Buffer.from(change.link));
  return Buffer.from(`M 160000 ${change.submodule} ${path}\n`);
}

function inline(mode: string, path: string, bytes: Uint8Array): Uint8Array {
  const header = Buffer.from(`M ${mode} inline ${path}\ndata ${bytes.length}\n`);
  return Buffer.concat([header, bytes, Buffer.from('\n')]);
}
