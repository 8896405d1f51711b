import type { IngestJob } from '@catalog/contract/records/ingest';
import type { JobRecord } from '@catalog/core/ports/jobs';

export function toWireIngest(record: JobRecord): IngestJob {
  const { started_at, finished_at, report, error } = record;
  return {
    job: record.job,
    layer: record.layer_id,
    state: record.state,
    trigger: record.request.trigger,
    progress: record.progress,
    attempts: record.attempts,
    created_at: record.created_at,
    ...(started_at === null ? {} : { started_at }),
    ...(finished_at === null ? {} : { finished_at }),
    ...(report === null ? {} : { report }),
    ...(error === null ? {} : { error }),
  };
}
