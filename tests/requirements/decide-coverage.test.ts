import { describe, expect, test } from 'vitest';
import { decideCoverage, type TestOutcome } from './decide-coverage.ts';
import {
  requirementById,
  requirementRows,
  type RequirementRow,
} from '@catalog/testkit/requirement-rows';
import { requiredEntryPoint } from './required-entry-point.ts';
import { verifies } from '@catalog/testkit/verifies';

const rows: RequirementRow[] = [
  { id: 'HA-01', doc: 'consumer', area: 'a', requirement: 'skill lands', milestone: 'one' },
  { id: 'CLI-01', doc: 'consumer', area: 'b', requirement: 'init writes', milestone: 'one' },
  { id: 'HA-99', doc: 'consumer', area: 'a', requirement: 'later', milestone: 'two' },
];

function outcome(parts: Partial<TestOutcome>): TestOutcome {
  return { file: 'a.test.ts', name: 'a', state: 'passed', verifies: [], through: [], ...parts };
}

describe('decideCoverage', () => {
  test.each<[string, TestOutcome[], string[]]>([
    ['by no test', [], ['HA-01', 'CLI-01']],
    ['by one that passed', [outcome({ verifies: ['HA-01'] })], ['CLI-01']],
    [
      'not by one that failed',
      [outcome({ verifies: ['HA-01'], state: 'failed' })],
      ['HA-01', 'CLI-01'],
    ],
    [
      'not by one that was skipped',
      [outcome({ verifies: ['HA-01'], state: 'skipped' })],
      ['HA-01', 'CLI-01'],
    ],
    [
      'by one that passed beside one that failed',
      [outcome({ verifies: ['HA-01'], state: 'failed' }), outcome({ verifies: ['HA-01'] })],
      ['CLI-01'],
    ],
    ['not without its door', [outcome({ verifies: ['CLI-01'] })], ['HA-01', 'CLI-01']],
    [
      'not through another door',
      [outcome({ verifies: ['CLI-01'], through: ['http'] })],
      ['HA-01', 'CLI-01'],
    ],
    [
      'through its door',
      [outcome({ verifies: ['CLI-01'], through: ['packed-program'] })],
      ['HA-01'],
    ],
    [
      'not by a failed test through the door and a passed one beside it',
      [
        outcome({ verifies: ['CLI-01'], through: ['packed-program'], state: 'failed' }),
        outcome({ verifies: ['CLI-01'] }),
      ],
      ['HA-01', 'CLI-01'],
    ],
  ])('counts the covered requirements: %s', (_, outcomes, missing) => {
    const coverage = decideCoverage(rows, outcomes, 'one');
    expect(coverage.missing.map((row) => row.id)).toEqual(missing);
    expect(coverage).toMatchObject({ covered: 2 - missing.length, total: 2 });
  });

  test('counts requirements by area', () => {
    expect(decideCoverage(rows, [outcome({ verifies: ['HA-01'] })], 'one').areas).toEqual([
      { area: 'a', covered: 1, total: 1 },
      { area: 'b', covered: 0, total: 1 },
    ]);
  });
});

describe('the requirements', () => {
  test('have unique ids', () => {
    expect(requirementById.size).toBe(requirementRows.length);
  });

  test.each<[string, ReturnType<typeof requiredEntryPoint>]>([
    ['CLI-01', 'packed-program'],
    ['WATCH-20', 'packed-program'],
    ['DELIV-03', 'packed-program'],
    ['VER-02', 'packed-program'],
    ['ERR-13', 'packed-program'],
    ['HA-05', undefined],
    ['ERR-01', undefined],
    ['VER-08', undefined],
    ['ERR-60', undefined],
    ['ERR-30', 'http'],
    ['ERR-76', 'http'],
    ['SEARCH-09', 'http'],
    ['LAYER-07', 'http'],
  ])('%s requires the entry point %s', (id, door) => {
    const row = requirementById.get(id);
    expect(row && requiredEntryPoint(row)).toBe(door);
  });

  test.each([[['HA-00']], [['HA-01', 'NOPE-1']], [[]]])('verifies rejects %j', (ids) => {
    expect(() => verifies(ids, 'a claim', () => undefined)).toThrow('a claim');
  });
});
