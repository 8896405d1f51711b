import { describe, expect, test } from 'vitest';
import type { ContentFinding, ContentReport } from './check-content.ts';
import { contentTable, fidelityOf, isFaithful, isNoticed, plantedTable } from './content-table.ts';

const kept: ContentFinding = {
  check: 'hooks/gate: exit-3',
  authored: 'tool ran',
  observed: 'tool ran',
  warnings: [],
};
const wrong: ContentFinding = { ...kept, observed: 'tool blocked' };
const report: ContentReport = {
  program: 'Demo',
  version: '1.0.0',
  alone: [kept],
  together: [],
  planted: [
    {
      error: 'failing-hook-blocks',
      changed: 1,
      noticed_by: ['hooks/gate: exit-3'],
      by_each: false,
    },
    { error: 'rules-written-twice', changed: 1, noticed_by: [], by_each: false },
    { error: 'command-bodies-emptied', changed: 0, noticed_by: [], by_each: true },
  ],
};

describe('fidelity of content', () => {
  test.each([
    ['exact', kept],
    ['WRONG', wrong],
    ['lossy, warned', { ...wrong, warnings: ['Demo blocks.'] }],
    ['refused', { ...wrong, refused: 'Demo has no hooks.' }],
    ['not observed', { check: kept.check, authored: kept.authored, warnings: [] }],
  ])('classifies a finding as %s', (fidelity, finding) => {
    expect(fidelityOf(finding)).toBe(fidelity);
  });

  test('shows the worst check of each type in the table', () => {
    const mixed = { ...report, alone: [kept, wrong] };
    const table = contentTable([mixed]);
    expect(table).toMatch(/^hooks +WRONG$/m);
    expect(table).toContain('authored "tool ran", observed "tool blocked"');
    expect(isFaithful(mixed)).toBe(false);
  });

  test('isFaithful rejects a report with a wrong finding in a shared workspace', () => {
    expect(isFaithful(report)).toBe(true);
    expect(isFaithful({ ...report, together: [wrong] })).toBe(false);
  });
});

test('contentTable lists each check of restricted agents, hooks and shared workspaces', () => {
  const agent = {
    check: 'agents/reader: writes a file',
    authored: 'refused',
    observed: 'allowed',
    warnings: ['Demo has no tool limits.'],
  };
  const rule = {
    check: 'rules/always-on: times loaded',
    authored: '1',
    observed: '2',
    warnings: [],
  };
  const table = contentTable([{ ...report, alone: [agent, kept, rule], together: [rule] }]);
  expect(table).toContain('restricted agents             Demo\n');
  expect(table).toMatch(/^agents\/reader: writes a file +allowed, warned$/m);
  expect(table).toMatch(/^hooks\/gate: exit-3 +tool ran$/m);
  expect(table).toMatch(/^rules\/always-on: times loaded +2, WRONG$/m);
});

test('plantedTable marks an error that no program notices', () => {
  const table = plantedTable([report]);
  expect(table).toContain('failing-hook-blocks: hooks/gate: exit-3');
  expect(table).toContain('rules-written-twice: NOT NOTICED');
  expect(table).toMatch(/^command-bodies-emptied +no such file$/m);
  expect(table).toContain('Demo: 1 of 2 noticed');
  expect(table).toContain('\n1 of 3 noticed');
  expect(isNoticed('failing-hook-blocks', [report])).toBe(true);
  expect(isNoticed('rules-written-twice', [report])).toBe(false);
});

test('plantedTable accepts an error with `by_each` only if every affected program notices it', () => {
  const error = 'rules-negated';
  const seen = { error, changed: 1, noticed_by: ['rules/always-on: times loaded'], by_each: true };
  const [noticing, blind, unconcerned] = [
    seen,
    { ...seen, noticed_by: [] },
    { ...seen, changed: 0, noticed_by: [] },
  ].map((finding): ContentReport => ({ ...report, planted: [finding] }));
  if (!noticing || !blind || !unconcerned) throw new Error('no reports');
  expect(isNoticed(error, [noticing, unconcerned])).toBe(true);
  expect(isNoticed(error, [noticing, blind])).toBe(false);
  expect(isNoticed(error, [unconcerned])).toBe(false);
});

test('contentTable shows excess tokens in a shared workspace, and isFaithful rejects them', () => {
  const tokens = { authored: 100, reached: 100, marks: 15 };
  expect(isFaithful({ ...report, tokens })).toBe(true);
  const twice = { ...report, tokens: { ...tokens, reached: 110 } };
  expect(isFaithful(twice)).toBe(false);
  expect(contentTable([twice])).toMatch(/^Demo +100 +110 +15 +1\.25$/m);
});
