import { describe, expect, test } from 'vitest';
import type { JobRecord } from '../ports/jobs.ts';
import { mayPass, nextRetry } from './next-retry.ts';

const START = Date.parse('2026-01-01T00:00:00.000Z');
const DAY_MS = 86_400_000;
const UNRESPONSIVE = envelope('ingest.source_unreachable', false, { reason: 'unresponsive_host' });
const UNAVAILABLE = envelope('registry.unavailable', true);
const DENIED = envelope('ingest.source_unreachable', false);

function envelope(code: string, retryable: boolean, details = {}) {
  return { code, message: '', details, retryable, suggested_action: '' };
}

function job(fields: Partial<JobRecord>, minutes = 0): JobRecord {
  return {
    job: `job ${minutes}`,
    layer_id: 'team',
    state: 'failed',
    request: { full: false, retry: [], trigger: 'webhook' },
    progress: { phase: '', done: 0, total: 0 },
    attempts: 1,
    created_at: new Date(START).toISOString(),
    started_at: null,
    finished_at: new Date(START + minutes * 60_000).toISOString(),
    report: null,
    error: UNRESPONSIVE,
    ...fields,
  };
}

test.each([
  [UNRESPONSIVE, true],
  [UNAVAILABLE, true],
  [envelope('ingest.resource_store_failed', false), true],
  [DENIED, false],
  [envelope('ingest.history_rewritten', false), false],
])('mayPass of %j is %s', (error, expected) => {
  expect(mayPass(error)).toBe(expected);
});

describe('nextRetry', () => {
  test('doubles the pause from 30 seconds to one hour and adds a random part', () => {
    const jobs: JobRecord[] = [];
    const pauses: number[] = [];
    let now = START;
    for (;;) {
      jobs.unshift(job({ job: `job ${jobs.length}`, finished_at: new Date(now).toISOString() }));
      const due = nextRetry(jobs, DAY_MS);
      if (due === undefined) break;
      pauses.push((due - now) / 1000);
      now = due;
    }
    const bases = [30, 60, 120, 240, 480, 960, 1920, 3600, 3600];
    for (const [index, base] of bases.entries()) {
      expect(pauses[index]).toBeGreaterThanOrEqual(base);
      expect(pauses[index]).toBeLessThan(base * 1.25);
    }
    expect(Math.max(...pauses)).toBeLessThan(4500);
    expect(new Set(pauses.slice(7)).size).toBeGreaterThan(5);
    expect(now - START).toBeGreaterThan(DAY_MS - 4_500_000);
    expect(now - START).toBeLessThanOrEqual(DAY_MS);
  });

  test.each<[string, JobRecord[]]>([
    ['the layer has not been ingested', []],
    ['the last one succeeded', [job({ state: 'done', error: null }), job({})]],
    ['one waits', [job({ state: 'queued', error: null }), job({})]],
    ['one runs', [job({ state: 'running', error: null }), job({})]],
    ['the host denies access', [job({ error: DENIED }), job({})]],
  ])('returns undefined if %s', (_, jobs) => {
    expect(nextRetry(jobs, DAY_MS)).toBeUndefined();
  });

  test('counts only failures after the last one of another kind', () => {
    const series = [
      job({}, 10),
      job({ error: UNAVAILABLE }, 9),
      job({ error: DENIED }, 8),
      job({}),
    ];
    const due = nextRetry(series, DAY_MS) ?? 0;
    expect(Math.floor((due - START - 600_000) / 60_000)).toBe(1);
  });
});
