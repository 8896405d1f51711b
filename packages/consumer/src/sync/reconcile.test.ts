import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DesiredFile } from './desired-state.ts';
import { reconcile, type Claim, type Observed, type Reconciliation } from './reconcile.ts';

function desired(hash: string, executable = false): DesiredFile {
  return { bytes: new Uint8Array(), hash, executable, owners: [{ target: 'default', id: 'x' }] };
}

function file(hash: string, executable = false): Observed {
  const fingerprint = { size: 1, mtime: 1, ctime: 1, inode: 1, mode: 0o100644 };
  return { kind: 'file', hash, executable, fingerprint };
}

const ABSENT: Observed = { kind: 'absent' };

interface Case {
  name: string;
  desired?: DesiredFile;
  owned?: string[];
  carried?: boolean;
  claim?: Claim;
  observed: Observed;
  expected:
    | 'write'
    | 'write, keeping the edit'
    | 'write, taking over'
    | 'delete'
    | 'tidy'
    | 'release'
    | 'nothing'
    | 'pre-existing'
    | 'claim'
    | 'unchanged'
    | 'clash';
}

const CASES: Case[] = [
  { name: 'new', desired: desired('n'), observed: ABSENT, expected: 'write' },
  {
    name: 'new, deleted by hand',
    desired: desired('n'),
    owned: ['n'],
    observed: ABSENT,
    expected: 'write',
  },
  { name: 'same', desired: desired('n'), owned: ['n'], observed: file('n'), expected: 'unchanged' },
  { name: 'changed', desired: desired('n'), owned: ['o'], observed: file('o'), expected: 'write' },
  {
    name: 'changed by a run cut short',
    desired: desired('n'),
    owned: ['o', 'm'],
    observed: file('m'),
    expected: 'write',
  },
  {
    name: 'edited by hand',
    desired: desired('n'),
    owned: ['o'],
    observed: file('e'),
    expected: 'write, keeping the edit',
  },
  {
    name: 'edited to what is wanted',
    desired: desired('n'),
    owned: ['o'],
    observed: file('n'),
    expected: 'unchanged',
  },
  {
    name: 'lost its executable bit',
    desired: desired('n', true),
    owned: ['n'],
    observed: file('n'),
    expected: 'write',
  },
  {
    name: 'foreign with the same bytes',
    desired: desired('n'),
    observed: file('n'),
    expected: 'pre-existing',
  },
  {
    name: 'foreign with the same bytes, not executable',
    desired: desired('n', true),
    observed: file('n'),
    expected: 'clash',
  },
  {
    name: 'foreign with the same bytes, taken over',
    desired: desired('n'),
    claim: 'take-over',
    observed: file('n'),
    expected: 'claim',
  },
  {
    name: 'foreign with other bytes, taken over',
    desired: desired('n'),
    claim: 'take-over',
    observed: file('f'),
    expected: 'write, taking over',
  },
  {
    name: 'a link is never taken over',
    desired: desired('n'),
    claim: 'take-over',
    observed: { kind: 'other', what: 'a link' },
    expected: 'clash',
  },
  {
    name: 'foreign with the same bytes, recovered',
    desired: desired('n'),
    claim: 'recover',
    observed: file('n'),
    expected: 'claim',
  },
  {
    name: 'foreign with other bytes, not recovered',
    desired: desired('n'),
    observed: file('f'),
    expected: 'clash',
  },
  { name: 'foreign', desired: desired('n'), observed: file('f'), expected: 'clash' },
  {
    name: 'a folder in the way',
    desired: desired('n'),
    observed: { kind: 'folder', paths: ['p/x'] },
    expected: 'clash',
  },
  {
    name: 'an empty folder in the way',
    desired: desired('n'),
    observed: { kind: 'folder', paths: [] },
    expected: 'clash',
  },
  {
    name: 'no longer wanted, now a folder',
    owned: ['o'],
    observed: { kind: 'folder', paths: ['p/x'] },
    expected: 'tidy',
  },
  {
    name: 'an owned path replaced by a link',
    desired: desired('n'),
    owned: ['n'],
    observed: { kind: 'other', what: 'a link' },
    expected: 'clash',
  },
  { name: 'no longer wanted', owned: ['o'], observed: file('o'), expected: 'delete' },
  { name: 'no longer wanted, already gone', owned: ['o'], observed: ABSENT, expected: 'tidy' },
  { name: 'no longer wanted, edited', owned: ['o'], observed: file('e'), expected: 'release' },
  {
    name: 'no longer wanted, now a link',
    owned: ['o'],
    observed: { kind: 'other', what: 'a link' },
    expected: 'release',
  },
  {
    name: 'of a target not running',
    owned: ['o'],
    carried: true,
    observed: file('o'),
    expected: 'nothing',
  },
];

function outcome(result: Reconciliation): Case['expected'] {
  const [write] = result.writes;
  if (write?.taken_over === true) return 'write, taking over';
  if (write !== undefined) return write.edited ? 'write, keeping the edit' : 'write';
  if (result.clashes.length > 0) return 'clash';
  if (result.deletes.length > 0) return 'delete';
  if (result.gone.length > 0) return 'tidy';
  if (result.released.length > 0) return 'release';
  if (result.pre_existing.length > 0) return 'pre-existing';
  if (result.claimed.length > 0) return 'claim';
  return result.unchanged > 0 ? 'unchanged' : 'nothing';
}

function run(input: Omit<Case, 'name' | 'expected'>): Reconciliation {
  return reconcile({
    desired: new Map(input.desired === undefined ? [] : [['p', input.desired]]),
    owned: new Map(input.owned === undefined ? [] : [['p', new Set(input.owned)]]),
    carried: new Set(input.carried === true ? ['p'] : []),
    claims: () => input.claim ?? 'none',
    observe: () => input.observed,
  });
}

describe('reconcile', () => {
  test.each(CASES)('$name: the result is $expected', ({ expected, ...input }) => {
    expect(outcome(run(input))).toBe(expected);
  });

  test.each<[string, Observed, Observed, Case['expected']]>([
    ['holds the file', { kind: 'folder', paths: ['p/x'] }, file('o'), 'write'],
    ['lost the file', { kind: 'folder', paths: [] }, ABSENT, 'write'],
    ['holds an edited file', { kind: 'folder', paths: ['p/x'] }, file('e'), 'clash'],
    ['holds a file of the user', { kind: 'folder', paths: ['p/x', 'p/own'] }, file('o'), 'clash'],
    ['holds an empty folder', { kind: 'folder', paths: ['p/own'] }, ABSENT, 'clash'],
  ])('a file in place of the folder of an owned file that %s', (_, folder, owned, expected) => {
    const result = reconcile({
      desired: new Map([['p', desired('n')]]),
      owned: new Map([['p/x', new Set(['o'])]]),
      carried: new Set(),
      claims: () => 'none',
      observe: (path) => (path === 'p' ? folder : owned),
    });
    expect(outcome(result)).toBe(expected);
  });

  test('never overwrites or deletes bytes it did not write', () => {
    const hash = fc.constantFrom('a', 'b', 'c');
    fc.assert(
      fc.property(
        fc.option(hash, { nil: undefined }),
        fc.option(fc.array(hash, { minLength: 1 }), { nil: undefined }),
        hash,
        (wanted, owned, there) => {
          const result = run({
            ...(wanted === undefined ? {} : { desired: desired(wanted) }),
            ...(owned === undefined ? {} : { owned }),
            observed: file(there),
          });
          if (owned === undefined) expect(result.writes).toEqual([]);
          if (owned?.includes(there) !== true) expect(result.deletes).toEqual([]);
          for (const write of result.writes) {
            expect(write.edited).toBe(owned?.includes(there) !== true && there !== wanted);
          }
        },
      ),
    );
  });
});
