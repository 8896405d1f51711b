import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideStanding, FIRST_STANDING, type Standing } from './decide-standing.ts';
import type { ProbeResult } from '../pool/probe.ts';

const GONE: ProbeResult = { kind: 'gone', error: new Error('gone') };
const FULL: ProbeResult = { kind: 'full' };
const STANDBY: ProbeResult = { kind: 'standby', position: 1, behind_ms: 0 };
const writable = (timeline: number): ProbeResult => ({ kind: 'writable', timeline, position: 1 });

function after(probes: readonly (readonly ProbeResult[])[], failures = 3): Standing {
  return probes.reduce<Standing>(
    (standing, looks) => decideStanding(standing, looks, failures),
    FIRST_STANDING,
  );
}
const times = (count: number, looks: readonly ProbeResult[]): (readonly ProbeResult[])[] =>
  Array.from({ length: count }, () => looks);

describe('mode', () => {
  const lost = [GONE, STANDBY];
  const found = [writable(1), STANDBY];

  test('is read-only after three consecutive failed probes but not after two', () => {
    expect(after(times(2, lost)).mode).toBe('ready');
    expect(after([...times(2, lost), found, ...times(2, lost)]).mode).toBe('ready');
    expect(after(times(3, lost)).mode).toBe('read_only');
  });

  test('is ready again after three consecutive successful probes', () => {
    const entered = times(3, lost);
    expect(after([...entered, ...times(2, found)]).mode).toBe('read_only');
    expect(after([...entered, ...times(2, found), lost, ...times(2, found)]).mode).toBe(
      'read_only',
    );
    expect(after([...entered, ...times(3, found)]).mode).toBe('ready');
  });

  test('never changes if read-only mode is disabled', () => {
    expect(after(times(100, lost), 0).mode).toBe('ready');
  });

  test('is not read-only if no standby is available', () => {
    expect(after(times(5, [GONE, GONE])).mode).toBe('ready');
    expect(after([...times(5, [GONE, GONE]), lost]).mode).toBe('read_only');
  });

  test('is reported with `responds`, which is false if no server responds', () => {
    expect(after([found, lost]).responds).toBe(true);
    expect(after([found, [GONE, GONE]]).responds).toBe(false);
    expect(after([found, [GONE, GONE], [GONE, STANDBY]]).responds).toBe(true);
    expect(
      after([
        [GONE, GONE],
        [FULL, GONE],
      ]).responds,
    ).toBe(true);
  });

  test('does not change while the primary has no free connection', () => {
    expect(after([...times(2, lost), ...times(9, [FULL, STANDBY])]).mode).toBe('ready');
    expect(after([...times(2, lost), [FULL, STANDBY], lost]).mode).toBe('read_only');
  });

  test('does not change if a standby is promoted in time', () => {
    const promoted = after([found, lost, [GONE, writable(2)], [STANDBY, writable(2)]]);
    expect(promoted).toMatchObject({ mode: 'ready', primary: 1, failures: 0, rivals: [] });
  });
});

describe('two writable servers', () => {
  test('have the later promoted one as primary', () => {
    expect(after([[writable(1), writable(2)]])).toMatchObject({ primary: 1, rivals: [0] });
    expect(after([[writable(3), writable(2)]])).toMatchObject({ primary: 0, rivals: [1] });
  });

  test('keep the current primary if their timelines are equal', () => {
    const promoted = [GONE, writable(2)];
    expect(after([promoted, [writable(2), writable(2)]])).toMatchObject({
      primary: 1,
      rivals: [0],
    });
  });

  test('do not make the former primary primary again if its successor misses a probe', () => {
    const failover = [
      [writable(1), STANDBY],
      [GONE, writable(2)],
      [writable(1), writable(2)],
    ];
    for (const missed of [GONE, FULL]) {
      expect(after([...failover, [writable(1), missed]])).toMatchObject({
        primary: 1,
        rivals: [0],
      });
    }
    expect(after([...failover, ...times(3, [writable(1), GONE, STANDBY])])).toMatchObject({
      mode: 'read_only',
      primary: 1,
    });
    expect(after([...failover, [writable(1), GONE], [writable(3), GONE]])).toMatchObject({
      primary: 0,
      rivals: [],
    });
  });
});

test('decideStanding selects a writable server with the newest timeline and derives the mode from the probe counts', () => {
  const look = fc.oneof(
    fc.constantFrom(GONE, FULL, STANDBY),
    fc.integer({ min: 1, max: 3 }).map(writable),
  );
  const probes = fc.array(fc.tuple(look, look, look), { maxLength: 30 });
  fc.assert(
    fc.property(probes, fc.integer({ min: 0, max: 4 }), (all, failures) => {
      let before = FIRST_STANDING;
      let highest = 0;
      for (const looks of all) {
        const now = decideStanding(before, looks, failures);
        const timelines = looks.map((found) => (found.kind === 'writable' ? found.timeline : 0));
        highest = Math.max(highest, ...timelines);
        if (timelines.includes(highest) && highest > 0) {
          expect(timelines[now.primary]).toBe(highest);
          expect(now.failures).toBe(0);
        } else {
          expect(now.primary).toBe(before.primary);
          expect(now.successes).toBe(looks[now.primary]?.kind === 'full' ? before.successes : 0);
        }
        if (looks[now.primary]?.kind !== 'full') {
          expect(now.rivals).toEqual(
            looks.flatMap(({ kind }, place) =>
              kind === 'writable' && place !== now.primary ? [place] : [],
            ),
          );
        }
        if (before.mode === 'ready' && now.mode === 'read_only') {
          expect(now.failures).toBeGreaterThanOrEqual(failures);
          expect(looks.some(({ kind }) => kind === 'standby')).toBe(true);
        }
        if (before.mode === 'read_only' && now.mode === 'ready') {
          expect(now.successes).toBeGreaterThanOrEqual(3);
        }
        before = now;
      }
    }),
  );
});
