import { expect, test } from 'vitest';
import { isRecoverable } from './recovery-window.ts';

const DELETED = '2026-01-01T00:00:00.000Z';

test.each([
  ['2026-01-30T23:59:59.999Z', 30, true],
  ['2026-01-31T00:00:00.000Z', 30, false],
  ['2036-01-01T00:00:00.000Z', 0, true],
])(
  'isRecoverable after a deletion on 2026-01-01, at %s with a window of %i days, is %s',
  (now, days, expected) => {
    expect(isRecoverable(DELETED, new Date(now), days)).toBe(expected);
  },
);
