import type { IngestJob, IngestTrigger } from '@catalog/contract/records/ingest';
import { describe, expect, test } from 'vitest';
import { registrationIngest } from './registration-ingest.ts';

function ingest(job: string, trigger: IngestTrigger): IngestJob {
  return {
    job,
    layer: 'team',
    state: 'done',
    trigger,
    progress: { phase: 'done', done: 1, total: 1 },
    attempts: 1,
    created_at: '2026-01-01T00:00:00.000Z',
  };
}

describe('registrationIngest', () => {
  test('returns the first ingest of a new layer, even if the directory watch requested another', () => {
    const ingests = [ingest('2', 'files'), ingest('1', 'register')];
    expect(registrationIngest({}, ingests)?.job).toBe('1');
  });

  test('returns the newest ingest of a layer that was ingested before', () => {
    const layer = { last_ingested_at: '2026-01-01T00:00:00.000Z' };
    const ingests = [ingest('3', 'webhook'), ingest('1', 'register')];
    expect(registrationIngest(layer, ingests)?.job).toBe('3');
  });

  test('returns undefined if the registry keeps no ingests', () => {
    expect(registrationIngest({}, [])).toBeUndefined();
  });
});
