import { describe, expect, test } from 'vitest';
import type { Verdict, WorkspaceVerdict } from './check-program.ts';
import { isLoaded } from './expected.ts';
import { isPassed, verdictTable } from './verdict-table.ts';

const whole: WorkspaceVerdict = {
  workspace: 'small',
  expected: ['alpha'],
  loaded: ['alpha'],
  accepted: true,
};
const broken: WorkspaceVerdict = { ...whole, workspace: 'broken', loaded: [], accepted: false };
const good: Verdict = {
  program: 'Demo',
  version: '1.0.0',
  kind: 'skill',
  workspaces: [whole],
  broken,
  accepted: true,
  refused_broken: true,
  seconds: 1,
};

describe('the table of verdicts', () => {
  test('a program passes that took the whole and refused the broken', () => {
    const judgement = { title: 'Demo', verdicts: [good] };
    expect(isPassed(judgement)).toBe(true);
    expect(verdictTable([judgement])).toContain('1 passed, 0 failed');
  });

  test('a check that cannot fail has not passed', () => {
    const verdict = { ...good, broken: { ...whole, workspace: 'broken' }, refused_broken: false };
    const judgement = { title: 'Demo', verdicts: [verdict] };
    expect(isPassed(judgement)).toBe(false);
    expect(verdictTable([judgement])).toContain(
      'failed Demo, skill: the broken workspace was not refused, loaded [alpha]',
    );
  });

  test('what was loaded otherwise is named', () => {
    const twice = { ...whole, loaded: ['alpha', 'alpha'], accepted: false };
    const judgement = {
      title: 'Demo',
      verdicts: [{ ...good, workspaces: [twice], accepted: false }],
    };
    expect(isPassed(judgement)).toBe(false);
    expect(verdictTable([judgement])).toContain(
      'failed Demo, skill, workspace small: expected [alpha], loaded [alpha, alpha]',
    );
  });

  test('a program that could not be asked has not passed', () => {
    const judgement = { title: 'Demo', verdicts: [], problem: 'no network namespace' };
    expect(isPassed(judgement)).toBe(false);
    const table = verdictTable([judgement]);
    expect(table).toContain('failed Demo: no network namespace');
    expect(table).toContain('0 passed, 1 failed');
  });

  test('who stands in for a product is said', () => {
    const judgement = { title: 'Demo, by its schemas', verdicts: [good], stands_in: 'no package' };
    expect(verdictTable([judgement])).toContain('Demo, by its schemas: no package');
  });
});

test('a name twice is not a name once', () => {
  expect(isLoaded(['b', 'a'], ['a', 'b'])).toBe(true);
  expect(isLoaded(['a'], ['a', 'a'])).toBe(false);
});
