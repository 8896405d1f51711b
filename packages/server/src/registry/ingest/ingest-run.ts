import type { ClaimedJob, JobProgress } from '@catalog/core/ports/jobs';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { SourceReading } from '@catalog/core/ports/layer-source';
import type { StoredSignature } from '@catalog/core/ports/signatures';
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
  /** Signatures of the planned versions, by `id@version`; empty if the registry does not sign. */
  signatures: ReadonlyMap<string, StoredSignature>;
  occasion: AuditContext;
}

export function versionKey({ id, version }: Pick<StoredSignature, 'id' | 'version'>): string {
  return `${id}@${version}`;
}
