import type { IngestJob } from '@catalog/contract/records/ingest';
import type { RegistryClient } from '@catalog/sdk/client';
import { delay } from '@catalog/sdk/idle-timeout';
import { errorOf } from '@catalog/sdk/registry-error';
import type { CommandResult, Session } from '../../command/session.ts';
import { countRejected, ingestProgress, renderReport } from './render-ingest.ts';

const MIN_POLL_MS = 50;
const MAX_POLL_MS = 1_000;

export async function waitForIngest(
  client: RegistryClient,
  job: string,
  session: Session,
): Promise<IngestJob> {
  for (let pause = MIN_POLL_MS; ; pause = Math.min(pause * 2, MAX_POLL_MS)) {
    const record = await client.getIngest(job, session.signal);
    if (record.state === 'done' || record.state === 'failed') return record;
    session.progress(ingestProgress(record));
    await delay(pause, session.signal);
  }
}

/** Returns the result of an ingest. The exit code is 1 if it rejected an artifact. */
export function toIngestResult(
  ingest: IngestJob,
  document: object,
  registry: string,
): CommandResult {
  const { report, error } = ingest;
  const lines = report === undefined ? [] : renderReport(report, registry);
  const result = { lines, json: { ...document, ingest } };
  if (error !== undefined) return { ...result, error: errorOf(error, registry) };
  return { ...result, exit: report === undefined || countRejected(report) === 0 ? 0 : 1 };
}
