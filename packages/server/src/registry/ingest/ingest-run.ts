import type { ClaimedJob, JobProgress } from '@catalog/core/ports/jobs';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { SourceReading } from '@catalog/core/ports/layer-source';
import type { AuditContext } from '../audit-context.ts';
import type { DecidedIngest } from './decide-ingest.ts';
import type { PlannedVersion } from './plan-ingest.ts';
import type { Removals } from './plan-removals.ts';

export interface IngestHooks {
  report(progress: JobProgress): void;
}

export interface IngestRun {
  job: ClaimedJob;
  layer: LayerRecord;
  reading: SourceReading;
  removals: Removals;
  decided: DecidedIngest;
  plan: readonly PlannedVersion[];
  occasion: AuditContext;
}
