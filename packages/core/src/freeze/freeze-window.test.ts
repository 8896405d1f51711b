import type { FreezeWindow } from '@catalog/contract/records/freeze';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findActivePeriod, findWindowProblem, listActive, listWeakened } from './freeze-window.ts';

const NOW = new Date('2026-03-29T00:00:00Z');
const BERLIN = 'Europe/Berlin';
const WEEKEND: FreezeWindow = {
  name: 'weekend',
  starts: '0 18 * * 5',
  ends: '0 6 * * 1',
  time_zone: BERLIN,
  blocks: ['ingest'],
};

function once(start: string, end: string, more: Partial<FreezeWindow> = {}): FreezeWindow {
  return { name: 'once', start, end, blocks: ['ingest'], ...more };
}

function endAt(window: FreezeWindow, now: string): string | undefined {
  return findActivePeriod(window, new Date(now))?.end.toISOString();
}

describe('a window with one period', () => {
  test('includes its start and excludes its end', () => {
    const window = once('2026-01-01T00:00:00Z', '2026-01-02T00:00:00+02:00');
    const end = '2026-01-01T22:00:00.000Z';
    expect(endAt(window, '2025-12-31T23:59:59.999Z')).toBeUndefined();
    expect(endAt(window, '2026-01-01T00:00:00.000Z')).toBe(end);
    expect(endAt(window, '2026-01-01T21:59:59.999Z')).toBe(end);
    expect(endAt(window, end)).toBeUndefined();
  });
});

describe('a repeating window', () => {
  test.each([
    ['before it starts', '2026-03-27T16:59:59.999Z', undefined],
    ['from its start', '2026-03-27T17:00:00.000Z', '2026-03-30T04:00:00.000Z'],
    ['in the hour that daylight saving skips', '2026-03-29T01:00:00Z', '2026-03-30T04:00:00.000Z'],
    ['until its end in summer time', '2026-03-30T03:59:59.999Z', '2026-03-30T04:00:00.000Z'],
    ['from its end', '2026-03-30T04:00:00.000Z', undefined],
    ['in the hour that repeats', '2026-10-25T00:30:00Z', '2026-10-26T05:00:00.000Z'],
    ['in the second of these hours', '2026-10-25T01:30:00Z', '2026-10-26T05:00:00.000Z'],
  ])('%s', (_, now, end) => {
    expect(endAt(WEEKEND, now)).toBe(end);
  });

  test('a start in the skipped hour is moved, so the window is active that day', () => {
    const night = { ...WEEKEND, starts: '30 2 * * *', ends: '0 5 * * *' };
    expect(endAt(night, '2026-03-29T02:00:00Z')).toBe('2026-03-29T03:00:00.000Z');
    expect(endAt(night, '2026-03-29T03:00:00Z')).toBeUndefined();
  });

  test('is active from its start to its end, whatever the time zone and the time of year', () => {
    const minute = fc.integer({ min: 0, max: 59 });
    const hour = fc.integer({ min: 0, max: 23 });
    const zone = fc.constantFrom('UTC', BERLIN, 'America/New_York', 'Australia/Lord_Howe');
    const moment = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 0) });
    fc.assert(
      fc.property(minute, hour, minute, hour, zone, moment, (m1, h1, m2, h2, time_zone, at) => {
        const window = {
          ...WEEKEND,
          starts: `${m1} ${h1} * * *`,
          ends: `${m2} ${h2} * * *`,
          time_zone,
        };
        if (window.starts === window.ends) return;
        const active = findActivePeriod(window, new Date(at));
        if (active === undefined) return;
        expect(active.end.getTime()).toBeGreaterThan(at);
        // A day has 25 hours at most.
        expect(active.end.getTime() - at).toBeLessThanOrEqual(49 * 3_600_000);
        expect(findActivePeriod(window, new Date(active.end.getTime() - 1))).toEqual(active);
        expect(findActivePeriod(window, active.end)).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });
});

describe('invalid windows', () => {
  const { starts: _, ...withoutStarts } = WEEKEND;
  test.each<[Partial<FreezeWindow>, string]>([
    [{ name: 'x' }, 'either `start` and `end`'],
    [{ ...once('2026-01-02T00:00:00Z', '2026-01-02T00:00:00Z') }, '`end` must be after'],
    [{ ...once('2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'), starts: '* * * * *' }, 'either'],
    [withoutStarts, 'either'],
    [{ ...WEEKEND, starts: '0 0 18 * * 5' }, '`starts` is not a cron expression'],
    [{ ...WEEKEND, ends: '61 * * * *' }, '`ends` is not a cron expression'],
    [{ ...WEEKEND, ends: '0 0 30 2 *' }, '`ends` never occurs'],
    [{ ...WEEKEND, ends: WEEKEND.starts }, 'are equal'],
    [{ ...WEEKEND, time_zone: 'Europe/Nowhere' }, 'not an IANA time zone'],
  ])('%j', (window, problem) => {
    expect(findWindowProblem({ ...window, name: 'x', blocks: ['ingest'] }, NOW)).toContain(problem);
  });

  test('both forms are accepted', () => {
    const window = once('2026-01-02T00:00:00+01:00', '2026-01-02T00:00:00Z');
    expect(findWindowProblem(window, NOW)).toBeUndefined();
    expect(findWindowProblem(WEEKEND, NOW)).toBeUndefined();
  });
});

describe('listActive', () => {
  test('returns the windows that block the action, the one that ends last first', () => {
    const windows = [
      once('2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z', { name: 'short' }),
      once('2026-03-01T00:00:00Z', '2026-05-01T00:00:00Z', { name: 'long' }),
      once('2026-03-01T00:00:00Z', '2026-06-01T00:00:00Z', { blocks: ['layer-config'] }),
      once('2026-04-01T00:00:00Z', '2026-06-01T00:00:00Z', { name: 'later' }),
    ];
    expect(listActive(windows, 'ingest', NOW).map(({ name }) => name)).toEqual(['long', 'short']);
    expect(listActive(windows, 'layer-config', NOW).map(({ name }) => name)).toEqual(['once']);
  });
});

describe('listWeakened', () => {
  const active = once('2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z', {
    blocks: ['ingest', 'layer-config'],
  });
  test.each<[string, FreezeWindow[], string[]]>([
    ['kept', [active], []],
    ['longer', [{ ...active, end: '2026-05-01T00:00:00Z' }], []],
    ['removed', [], ['once']],
    ['renamed', [{ ...active, name: 'other' }], ['once']],
    ['shorter', [{ ...active, end: '2026-03-31T23:59:59Z' }], ['once']],
    ['moved to later', [{ ...active, start: '2026-03-30T00:00:00Z' }], ['once']],
    ['blocks less', [{ ...active, blocks: ['ingest'] }], ['once']],
    ['repeating, ends earlier', [{ ...WEEKEND, name: 'once' }], ['once']],
  ])('%s', (_, after, weakened) => {
    expect(listWeakened([active], after, NOW)).toEqual(weakened);
  });

  test('a window that is not active can always be removed', () => {
    expect(listWeakened([WEEKEND], [], new Date('2026-03-25T00:00:00Z'))).toEqual([]);
    expect(listWeakened([WEEKEND], [], NOW)).toEqual(['weekend']);
  });
});
