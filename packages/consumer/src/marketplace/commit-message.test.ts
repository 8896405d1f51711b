import { expect, test } from 'vitest';
import { commitMessage } from './commit-message.ts';

const TARGET = { id: 'acme', commit_message: undefined };

test('the default commit message mentions that no artifact changed', () => {
  expect(commitMessage(TARGET, [], 0)).toBe('acme: rendered the same artifacts again');
});

test('the message of a large commit names the first artifacts and counts the rest, to fit on a command line', () => {
  const moves = Array.from({ length: 20_000 }, (_, index) => ({
    id: `ops/team/artifact-${index}`,
    from: undefined,
    to: '1.0.0',
  }));
  const message = commitMessage(TARGET, moves, 0);
  expect(message.startsWith('acme: 20000 added\n\nadded ops/team/artifact-0 1.0.0\n')).toBe(true);
  expect(message.endsWith('\nand 19800 more')).toBe(true);
  expect(message.length).toBeLessThan(20_000);
});

test('a configured commit message may contain the time', () => {
  const target = { ...TARGET, commit_message: 'Of {{.Timestamp}}' };
  expect(commitMessage(target, [], 0)).toBe('Of 1970-01-01T00:00:00.000Z');
});
