import { expect, test } from 'vitest';
import type { Invocation } from './commands.ts';
import { listOutputProblems } from './hostile-text.ts';

const WATCH: Invocation = { kind: 'cli', words: ['sync', '--watch', '--json'] };
const FORGED = 'forged-words-of-a-registry';

const problemsOf = (error: object): number =>
  listOutputProblems(WATCH, JSON.stringify({ error })).length;

test('a quoted message in one line of JSON is not a problem, a suggested action is', () => {
  const message = `The registry reports: "next: ${FORGED}"`;
  expect(problemsOf({ message, suggested_action: 'Try again.' })).toBe(0);
  expect(problemsOf({ message: 'Rejected.', suggested_action: `Run "${FORGED}".` })).toBe(1);
});
