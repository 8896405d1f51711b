import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { commitRange, listCommits, readMessage } from './commits/commit-range.ts';
import { listWordProblems } from './commits/commit-rules.ts';

const ROOT = join(import.meta.dirname, '..');
const CONFIG = 'commitlint.config.ts';
/** Step of CI that runs this check; older commits were not checked. */
const STEP = { file: 'tools/ci.ts', text: "['./dev', 'commits']" };
/** Function that checks words; older commits were not checked. */
const WORDS = { file: 'tools/commits/commit-rules.ts', text: 'function listWordProblems' };

/**
 * `./dev commits` checks the messages of new commits; `--edit FILE` checks one message before it is
 * committed; `--root` checks another clone.
 */
function main(): number {
  const { values } = parseArgs({
    options: { edit: { type: 'string' }, root: { type: 'string', default: ROOT } },
  });
  const root = resolve(values.root);
  if (values.edit !== undefined) {
    const file = resolve(values.edit);
    const message = readFileSync(file, 'utf8').replaceAll(/^#.*\n/gm, '');
    return Math.max(lint(root, ['--edit', file]), checkWords('the message', message));
  }
  const { first, after } = commitRange(root, STEP);
  const statuses = [lint(root, ['--from', after, '--to', 'HEAD'])];
  if (first !== undefined) statuses.push(lint(root, [], readMessage(root, first)));
  for (const commit of listCommits(root, commitRange(root, WORDS))) {
    statuses.push(checkWords(commit.slice(0, 8), readMessage(root, commit)));
  }
  return Math.max(...statuses);
}

function checkWords(name: string, message: string): number {
  const problems = listWordProblems(message);
  for (const problem of problems) process.stdout.write(`${name}: ${problem}\n`);
  return problems.length === 0 ? 0 : 1;
}

/** Without arguments, reads a message from stdin. */
function lint(cwd: string, words: readonly string[], input = ''): number {
  const { status, error } = spawnSync('commitlint', ['--config', join(ROOT, CONFIG), ...words], {
    cwd,
    input,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  if (error !== undefined) throw error;
  return status ?? 1;
}

process.exitCode = main();
