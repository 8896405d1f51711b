import type { IngestJob } from '@catalog/contract/records/ingest';
import type { RegistryClient } from '@catalog/sdk/client';
import { delay } from '@catalog/sdk/patience';
import { errorOf } from '@catalog/sdk/registry-error';
import type { CommandResult, Session } from '../../command/session.ts';
import { countNotTaken, ingestProgress, renderReport } from './render-ingest.ts';

const FIRST_LOOK_MS = 50;
const LONGEST_LOOK_MS = 1_000;

export async function waitForIngest(
  client: RegistryClient,
  job: string,
  session: Session,
): Promise<IngestJob> {
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 2, LONGEST_LOOK_MS)) {
    const record = await client.getIngest(job, session.signal);
    if (record.state === 'done' || record.state === 'failed') return record;
    session.progress(ingestProgress(record));
    await delay(pause, session.signal);
  }
}

/** The exit code is 1 if the ingest rejected an artifact. */
export function toIngestResult(
  ingest: IngestJob,
  document: object,
  registry: string,
): CommandResult {
  const { report, error } = ingest;
  const lines = report === undefined ? [] : renderReport(report, registry);
  const result = { lines, json: { ...document, ingest } };
  if (error !== undefined) return { ...result, error: errorOf(error, registry) };
  return { ...result, exit: report === undefined || countNotTaken(report) === 0 ? 0 : 1 };
}
