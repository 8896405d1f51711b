import { describe, expect, test } from 'vitest';
import type { ReceiverHealth } from '../ports/receivers.ts';
import { nextHealth } from './receiver-health.ts';

const START = new Date('2026-01-02T03:04:05.000Z');
const SCHEDULE = [5, 30, 120, 600, 1800].map((seconds) => seconds * 1000);
const HEALTHY: ReceiverHealth = {
  disabled_by: null,
  paused_until: null,
  failure_count: 0,
  failing_since: null,
  last_delivery: null,
  last_failure: null,
};
const FAILED = { kind: 'failed', gone: false, wait_ms: 0 } as const;

function after(ms: number): Date {
  return new Date(START.getTime() + ms);
}

function fail(times: number, every_ms: number): ReceiverHealth {
  let health = HEALTHY;
  for (let at = 0; at < times; at += 1) {
    health = nextHealth(health, FAILED, after(at * every_ms), SCHEDULE);
  }
  return health;
}

describe('nextHealth', () => {
  test('counts consecutive failures and resets the count after a delivery', () => {
    const failed = fail(3, 1000);
    expect(failed).toMatchObject({ failure_count: 3, failing_since: START.toISOString() });
    const delivered = nextHealth(failed, { kind: 'delivered' }, after(9000), SCHEDULE);
    expect(delivered).toEqual({
      ...HEALTHY,
      last_delivery: after(9000).toISOString(),
      last_failure: after(2000).toISOString(),
    });
  });

  test('pauses from the fifth failure on, for up to ten minutes', () => {
    const pauses = [4, 5, 6, 7, 8, 9, 20].map((times) => fail(times, 0).paused_until);
    const minutes = after(600_000).toISOString();
    expect(pauses).toEqual([
      null,
      after(5000).toISOString(),
      after(30_000).toISOString(),
      after(120_000).toISOString(),
      minutes,
      minutes,
      minutes,
    ]);
  });

  test('respects a pause that the receiver requests, up to one day', () => {
    const pausedUntil = (wait_ms: number) =>
      nextHealth(HEALTHY, { ...FAILED, wait_ms }, START, SCHEDULE).paused_until;
    expect(pausedUntil(60_000)).toBe(after(60_000).toISOString());
    expect(pausedUntil(90 * 86_400_000)).toBe(after(86_400_000).toISOString());
  });

  test('disables the receiver immediately after status 410', () => {
    expect(nextHealth(HEALTHY, { ...FAILED, gone: true }, START, SCHEDULE).disabled_by).toBe(
      'gone',
    );
  });

  test('disables the receiver after 32 consecutive failures over at least one day', () => {
    const hour = 3_600_000;
    expect(fail(1000, 1000).disabled_by).toBeNull();
    expect(fail(31, hour).disabled_by).toBeNull();
    expect(fail(32, hour).disabled_by).toBe('failures');
    expect(
      nextHealth({ ...fail(32, hour), disabled_by: 'admin' }, FAILED, after(0), SCHEDULE),
    ).toMatchObject({ disabled_by: 'admin' });
  });
});
