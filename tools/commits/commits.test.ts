import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { areaPrefix, imperativeSubject } from './commit-rules.ts';
import { commitRange, readMessage } from './commit-range.ts';

const ROOT = join(import.meta.dirname, '../..');
const MARKER = { file: 'tools/ci.ts', text: "['./dev', 'commits']" };
/** Same marker as in `tools/commits.ts`. */
const WORDS = { file: 'tools/commits/commit-rules.ts', text: 'function listWordProblems' };
const folder = mkdtempSync(join(tmpdir(), 'catalog-commits-'));
const origin = join(folder, 'origin');

function git(root: string, ...words: string[]): string {
  const identity = [
    '-c',
    'user.name=T',
    '-c',
    'user.email=t@example.com',
    '-c',
    'commit.gpgsign=false',
  ];
  const hooks = ['-c', 'core.hooksPath=/dev/null'];
  return execFileSync('git', [...identity, ...hooks, ...words], {
    cwd: root,
    encoding: 'utf8',
  }).trim();
}

function commit(root: string, message: string): string {
  git(root, 'commit', '-q', '--allow-empty', '-m', message);
  return git(root, 'rev-parse', 'HEAD');
}

function commitStep(text: string, message: string): string {
  writeFileSync(join(origin, MARKER.file), text);
  git(origin, 'add', MARKER.file);
  return commit(origin, message);
}

let introduced: string;
let onMain: string;
let onBranch: string;

beforeAll(() => {
  git(folder, 'init', '-q', '-b', 'main', origin);
  mkdirSync(join(origin, 'tools/commits'), { recursive: true });
  writeFileSync(join(origin, WORDS.file), WORDS.text);
  git(origin, 'add', WORDS.file);
  commitStep('No such step yet.', 'Old commits had other rules.');
  commitStep(MARKER.text, 'Added the check, too early.');
  commitStep('No such step again.', 'Left it out.');
  introduced = commitStep(MARKER.text, 'commits: check messages\n\nReason.');
  onMain = commit(origin, 'sync: keep files\n\nReason.');
  git(origin, 'checkout', '-q', '-b', 'topic');
  onBranch = commit(origin, 'search: rank exact matches first\n\nReason.');
});
afterAll(() => rmSync(folder, { recursive: true }));

function clone(name: string, branch: string, ...words: string[]): string {
  git(folder, 'clone', '-q', '--branch', branch, ...words, `file://${origin}`, name);
  return join(folder, name);
}

test('./dev commits checks a branch from the commit where it left main', () => {
  expect(commitRange(clone('branch', 'topic'), MARKER)).toEqual({
    first: undefined,
    after: onMain,
  });
});

test('checks main from the last commit that introduced the check', () => {
  expect(commitRange(clone('main', 'main'), MARKER)).toEqual({
    first: introduced,
    after: introduced,
  });
});

test('checks a branch that left main before the check existed from the commit that introduced the check', () => {
  const root = clone('early', 'topic');
  git(root, 'update-ref', 'refs/remotes/origin/main', `${introduced}^`);
  expect(commitRange(root, MARKER)).toEqual({ first: introduced, after: introduced });
});

test.each([1, 2])('./dev commits checks a clone of depth %i from its oldest commit', (depth) => {
  const root = clone(`depth-${depth}`, 'topic', '--depth', String(depth));
  const oldest = depth === 1 ? onBranch : onMain;
  expect(commitRange(root, MARKER)).toEqual({ first: oldest, after: oldest });
});

test('checks main at depth 1 and passes a branch without new commits', () => {
  expect(check(clone('main-depth-1', 'main', '--depth', '1'))).toMatchObject({ status: 0 });
  const root = clone('nothing-new', 'main');
  git(root, 'checkout', '-q', '-b', 'empty');
  expect(check(root)).toMatchObject({ status: 0 });
});

test('readMessage returns the subject and the body', () => {
  expect(readMessage(origin, introduced)).toBe('commits: check messages\n\nReason.');
});

function check(root: string, ...words: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'tools/commits.ts'), '--root', root, ...words],
    {
      encoding: 'utf8',
      env: { ...process.env, PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH']}` },
    },
  );
  return { status, output: stdout + stderr };
}

test('commits command passes good commits and reports the rule that a bad commit breaks', () => {
  const root = clone('command', 'topic', '--depth', '2');
  expect(check(root)).toMatchObject({ status: 0 });
  commit(root, 'Added a cache');
  const { status, output } = check(root);
  expect(status).toBe(1);
  expect(output).toContain('[area-prefix]');
  expect(output).toContain('[reason-in-body]');
  expect(output).not.toContain('Old commits');
});

test.each([
  ['mcp config: ask before writing\n\nReason.\n', undefined],
  ['docs: regenerate the reference\n', undefined],
  ['mcp config: asks before writing\n\nReason.\n', '[imperative-subject]'],
  [`sync: ${'x'.repeat(67)}\n\nReason.\n`, '[header-max-length]'],
  ['sync: keep files\n', '[reason-in-body]'],
  ['sync: keep files.\n\nReason.\n', '[subject-full-stop]'],
  ['keep files\n\nReason.\n', '[area-prefix]'],
  ['sync: keep files\n\nThe server\nanswers late.\n', '"answers": write responds, returns.'],
  ['sync: keep `nobody`\n\nThe option is called "anew".\n# nobody\n', undefined],
])('commit hook checks %j', (message, rule) => {
  const file = join(folder, 'MESSAGE');
  writeFileSync(file, message);
  const { status, output } = check(origin, '--edit', file);
  expect(status).toBe(rule === undefined ? 0 : 1);
  if (rule !== undefined) expect(output).toContain(rule);
});

test('header rules check only the header', () => {
  expect(areaPrefix({ header: 'Sync: keep files' })[0]).toBe(false);
  expect(areaPrefix({ header: 'harness-programs: keep files' })[0]).toBe(true);
  expect(imperativeSubject({ header: 'sync: kept files' })[0]).toBe(false);
  expect(imperativeSubject({ header: 'no area' })[0]).toBe(true);
});
