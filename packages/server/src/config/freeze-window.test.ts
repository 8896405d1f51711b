import type { FieldReading } from '@catalog/core/manifest/field-checks';
import { loadVariables } from '@catalog/testkit/settings-in-test';
import { describe, expect, test } from 'vitest';
import { freezeWindow } from './freeze-window.ts';

function read(value: object) {
  const at: FieldReading = { path: ['freeze_windows', 0], problems: [] };
  return { window: freezeWindow.read(JSON.parse(JSON.stringify(value)), at), at };
}

const REPEATING = { starts: '0 18 * * 5', ends: '0 6 * * 1', time_zone: 'Europe/Berlin' };

describe('freeze_windows', () => {
  test('is empty by default', () => {
    expect(loadVariables({}).settings.freeze_windows).toEqual([]);
  });

  test.each([
    [
      { name: 'a', start: '2026-12-24T00:00:00+01:00', end: '2026-12-27T00:00:00Z' },
      { start: '2026-12-23T23:00:00.000Z', end: '2026-12-27T00:00:00.000Z', blocks: ['ingest'] },
    ],
    [{ name: 'a', ...REPEATING, blocks: ['layer-config'] }, { blocks: ['layer-config'] }],
  ])('%j is read', (given, window) => {
    expect(read(given).window).toEqual({ ...given, ...window });
  });

  test.each([
    [{ name: 'a' }, 'either `start` and `end`'],
    [{ ...REPEATING }, 'name'],
    [{ name: 'a b', ...REPEATING }, 'name'],
    [{ name: 'a', ...REPEATING, time_zone: 'Berlin' }, 'not an IANA time zone'],
    [{ name: 'a', ...REPEATING, blocks: [] }, '`blocks` is empty'],
    [{ name: 'a', ...REPEATING, blocks: ['reads'] }, 'blocks'],
    [{ name: 'a', ...REPEATING, break_glass_role: 'admin' }, 'break_glass_role'],
    [{ name: 'a', start: '2026-12-24', end: '2026-12-27T00:00:00Z' }, 'a time with an offset'],
  ])('%j is rejected', (given, message) => {
    const { window, at } = read(given);
    expect(window).toBeUndefined();
    expect(at.problems[0]?.message).toContain(message);
  });
});
