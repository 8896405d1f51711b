import type { ClaimedJob, JobProgress } from '@catalog/core/ports/jobs';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { SourceReading } from '@catalog/core/ports/layer-source';
import type { Occasion } from '../occasion.ts';
import type { DecidedIngest } from './decide-ingest.ts';
import type { PlannedVersion } from './plan-ingest.ts';
import type { Removals } from './plan-removals.ts';

/** What a running ingest tells whoever started it. */
export interface IngestHooks {
  /** Says how far it is. */
  report(progress: JobProgress): void;
}

/** Everything a run knows when it starts to write. */
export interface IngestRun {
  job: ClaimedJob;
  layer: LayerRecord;
  reading: SourceReading;
  removals: Removals;
  decided: DecidedIngest;
  plan: readonly PlannedVersion[];
  occasion: Occasion;
}
