import { describe, expect, test } from 'vitest';
import { rewriteHookAction } from './hook-action.ts';

function bundled(...paths: string[]): { path: string; bytes: Uint8Array; executable: boolean }[] {
  return paths.map((path) => ({ path, bytes: new Uint8Array(), executable: false }));
}

const files = bundled('scripts/log.sh', 'scripts/log.sh.bak', 'run', 'my notes.md', 'données.txt');

describe('rewriteHookAction with separate paths', () => {
  test.each([
    ['bash scripts/log.sh', 'bash F/scripts/log.sh'],
    ['scripts/log.sh', 'F/scripts/log.sh'],
    ['./scripts/log.sh --now', './F/scripts/log.sh --now'],
    ['sh "scripts/log.sh" && run', 'sh "F/scripts/log.sh" && F/run'],
    ["cat 'my notes.md'|run", "cat 'F/my notes.md'|F/run"],
    ['x=$(scripts/log.sh)', 'x=$(F/scripts/log.sh)'],
    ['f --config=scripts/log.sh;run', 'f --config=F/scripts/log.sh;F/run'],
    ['cp {scripts/log.sh,run} /tmp', 'cp {F/scripts/log.sh,F/run} /tmp'],
    ['cat scripts/log.sh.bak', 'cat F/scripts/log.sh.bak'],
    ['cat <données.txt', 'cat <F/données.txt'],
    ['PATH=run:scripts/log.sh', 'PATH=F/run:F/scripts/log.sh'],
    ['run\nrun', 'F/run\nF/run'],
  ])('rewrites %j to %j', (action, expected) => {
    expect(rewriteHookAction(action, files, 'F')).toBe(expected);
  });
});

describe('rewriteHookAction with a path inside another word', () => {
  test.each([
    'npm run-script test',
    'prerun',
    'runner',
    'run.sh',
    '/opt/scripts/log.sh',
    '../scripts/log.sh',
    '$HOME/scripts/log.sh',
    '${run}',
    '$run',
    '${DIR}run',
    'scripts/log.sh/more',
    'scripts/log.sh*',
    'run{1,2}',
    'my\\ run',
    'scripts/log.shé',
    '~run',
    'https://example.com/scripts/log.sh',
    '',
  ])('keeps %j unchanged', (action) => {
    expect(rewriteHookAction(action, files, 'F')).toBe(action);
  });
});

test('rewriteHookAction does not rewrite its own output', () => {
  expect(rewriteHookAction('a', bundled('a', 'F/a'), 'F')).toBe('F/a');
});

test('keeps the command unchanged without bundled files', () => {
  expect(rewriteHookAction('bash scripts/log.sh', [], 'F')).toBe('bash scripts/log.sh');
});
