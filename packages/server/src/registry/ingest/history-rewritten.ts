import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { EventBody } from '@catalog/contract/events';
import type { ClaimedJob } from '@catalog/core/ports/jobs';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { SourceReading } from '@catalog/core/ports/layer-source';
import { buildEvent } from '../events/build-event.ts';
import type { AuditContext } from '../audit-context.ts';
import type { Registry } from '../registry.ts';

interface Rewrite {
  layer: string;
  prior_ref: string;
  new_ref: string;
}

/** Returns the event of a detected force-push; empty if there was none (EVENT-09). */
export function historyRewrittenEvents(
  auditContext: AuditContext,
  layer: LayerRecord,
  reading: SourceReading,
): EventBody[] {
  const rewrite = rewriteOf(layer, reading);
  return rewrite === undefined
    ? []
    : [buildEvent(auditContext, 'layer.history_rewritten', rewrite)];
}

/**
 * Rejects a force-push on a strict layer. Further attempts for the same push emit no event; tolerant layers emit the
 * event with their ingest (ERR-40).
 */
export async function rejectRewritten(
  registry: Registry,
  job: ClaimedJob,
  layer: LayerRecord,
  reading: SourceReading,
  auditContext: AuditContext,
): Promise<void> {
  const rewrite = rewriteOf(layer, reading);
  if (rewrite === undefined || layer.force_push_policy !== 'strict') return;
  if (!(await wasRejectedBefore(registry, job, rewrite))) {
    await registry.store.transaction(async (writes) => {
      const { tenant, record, fence } = job;
      if (!(await writes.jobs.holds(tenant, record.job, fence))) return;
      await writes.outbox.append(tenant, historyRewrittenEvents(auditContext, layer, reading));
    });
  }
  const { prior_ref, new_ref } = rewrite;
  throw new CatalogError(
    'ingest.history_rewritten',
    `The history of layer ${layer.id} was rewritten: ${new_ref.slice(0, 12)} is not a descendant of ${prior_ref.slice(0, 12)}.`,
    {
      details: { ...rewrite },
      suggested_action:
        'Restore the history at its source, or set force_push_policy to tolerant and ingest again.',
    },
  );
}

function rewriteOf(
  { id }: LayerRecord,
  { rewritten, reference }: SourceReading,
): Rewrite | undefined {
  if (rewritten === undefined) return undefined;
  return { layer: id, prior_ref: rewritten, new_ref: reference };
}

/** A layer has at most one queued and one running job, so the third newest has ended. */
const JOBS_TO_THE_LAST_ENDED = 3;

async function wasRejectedBefore(
  { store }: Registry,
  { tenant }: ClaimedJob,
  { layer, prior_ref, new_ref }: Rewrite,
): Promise<boolean> {
  const jobs = await store.jobs.list(tenant, layer, JOBS_TO_THE_LAST_ENDED);
  const error = jobs.find(({ finished_at }) => finished_at !== null)?.error;
  if (error?.code !== 'ingest.history_rewritten') return false;
  const { details } = error;
  return details['prior_ref'] === prior_ref && details['new_ref'] === new_ref;
}
