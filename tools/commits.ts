import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { commitRange, readMessage } from './commits/commit-range.ts';

const ROOT = join(import.meta.dirname, '..');
const CONFIG = 'commitlint.config.ts';
/** The step of CI that runs this check. Older commits were not checked. */
const STEP = { file: 'tools/ci.ts', text: "['./dev', 'commits']" };

/**
 * `./dev commits` checks the messages of new commits; `--edit FILE` checks one message before it is
 * committed; `--root` checks another clone.
 */
function main(): number {
  const { values } = parseArgs({
    options: { edit: { type: 'string' }, root: { type: 'string', default: ROOT } },
  });
  const root = resolve(values.root);
  if (values.edit !== undefined) return lint(root, ['--edit', resolve(values.edit)]);
  const { first, after } = commitRange(root, STEP);
  const statuses = [lint(root, ['--from', after, '--to', 'HEAD'])];
  if (first !== undefined) statuses.push(lint(root, [], readMessage(root, first)));
  return Math.max(...statuses);
}

/** Runs commitlint; without arguments it reads a message from its input. */
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
