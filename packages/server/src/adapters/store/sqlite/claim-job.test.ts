import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { CLAIM_JOB } from './claim-job.ts';
import { openSqliteStore } from './open-store.ts';

test('CLAIM_JOB reads few jobs, regardless of the queue length', async () => {
  const path = `${temporaryFolder()}/registry.db`;
  await (await openSqliteStore({ path })).close();
  const database = new DatabaseSync(path);
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${CLAIM_JOB}`).all();
  database.close();
  const ofJobs = steps
    .map(({ detail }) => String(detail))
    .filter((detail) => /^(SCAN|SEARCH) (j|r|jobs)\b/.test(detail));
  expect(ofJobs).toContain('SEARCH j USING INDEX jobs_next (tenant=? AND personal=? AND <expr>=?)');
  expect(
    ofJobs.filter((detail) => !detail.includes('INDEX') && !detail.includes('PRIMARY KEY')),
  ).toEqual([]);
  // Only running jobs are all read, and their number is limited by the lanes.
  expect(ofJobs.filter((detail) => detail.startsWith('SCAN'))).toEqual([
    expect.stringContaining('jobs_running'),
  ]);
});
