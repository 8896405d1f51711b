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

describe('verdict table', () => {
  test('passes a program that accepted the intact workspace and rejected the broken one', () => {
    const judgement = { title: 'Demo', verdicts: [good] };
    expect(isPassed(judgement)).toBe(true);
    expect(verdictTable([judgement])).toContain('1 passed, 0 failed');
  });

  test('fails a check that accepts the broken workspace', () => {
    const verdict = { ...good, broken: { ...whole, workspace: 'broken' }, refused_broken: false };
    const judgement = { title: 'Demo', verdicts: [verdict] };
    expect(isPassed(judgement)).toBe(false);
    expect(verdictTable([judgement])).toContain(
      'failed Demo, skill: the broken workspace was not refused, loaded [alpha]',
    );
  });

  test('shows the expected and the loaded names if they differ', () => {
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

  test('fails a program that could not run', () => {
    const judgement = { title: 'Demo', verdicts: [], problem: 'no network namespace' };
    expect(isPassed(judgement)).toBe(false);
    const table = verdictTable([judgement]);
    expect(table).toContain('failed Demo: no network namespace');
    expect(table).toContain('0 passed, 1 failed');
  });

  test('shows the reason for a substitute', () => {
    const judgement = { title: 'Demo, by its schemas', verdicts: [good], stands_in: 'no package' };
    expect(verdictTable([judgement])).toContain('Demo, by its schemas: no package');
  });
});

test('isLoaded rejects a name that is loaded twice', () => {
  expect(isLoaded(['b', 'a'], ['a', 'b'])).toBe(true);
  expect(isLoaded(['a'], ['a', 'a'])).toBe(false);
});
