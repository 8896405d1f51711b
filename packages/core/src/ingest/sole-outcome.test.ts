import type { IngestReport } from '@catalog/contract/records/ingest';
import { expect, test } from 'vitest';
import { soleOutcome } from './sole-outcome.ts';

const conflict: IngestReport['conflicts'][number] = {
  artifact_id: 'a',
  version: '1.0.0',
  old_hash: 'x',
  new_hash: 'y',
  code: 'ingest.immutable_violation',
};
const failure = { artifact_id: 'a', code: 'lint.x', reason: 'because' };
const NOTHING: IngestReport = {
  job: 'j',
  layer: 'l',
  reference: '',
  accepted: 0,
  idempotent: 0,
  removed: 0,
  conflicts: [],
  lint_failures: [],
  rejected: [],
  embedding_failures: [],
  advisories: [],
};

test.each<[Partial<IngestReport>, ReturnType<typeof soleOutcome>]>([
  [{}, undefined],
  [{ conflicts: [conflict] }, 'conflicts'],
  [{ lint_failures: [failure] }, 'lint_failures'],
  [{ conflicts: [conflict], lint_failures: [failure] }, undefined],
  [{ conflicts: [conflict], accepted: 1 }, undefined],
  [{ conflicts: [conflict], idempotent: 1 }, undefined],
  [{ lint_failures: [failure], removed: 1 }, undefined],
  [{ lint_failures: [failure], rejected: [failure] }, undefined],
  [{ lint_failures: [failure], advisories: [failure] }, 'lint_failures'],
])('soleOutcome of %j is %s', (report, expected) => {
  expect(soleOutcome({ ...NOTHING, ...report })).toBe(expected);
});
