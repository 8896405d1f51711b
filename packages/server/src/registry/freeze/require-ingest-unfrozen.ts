import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { ActiveWindow } from '@catalog/core/freeze/freeze-window';
import type { ClaimedJob } from '@catalog/core/ports/jobs';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { StoreReads, StoreWrites } from '@catalog/core/ports/store';
import { buildAuditRecord } from '../audit/build-record.ts';
import type { AuditContext } from '../audit-context.ts';
import type { Registry } from '../registry.ts';
import {
  isApproved,
  listApprovedReferences,
  listUsableApprovals,
  missingApprovals,
  requireDistinctAdmins,
  useApprovals,
  windowDetails,
} from './check-approvals.ts';
import { listBlocking } from './require-unfrozen.ts';

/** Reference of a directory in approvals, because it has no commits. */
export const ANY_REFERENCE = '*';

interface CheckedIngest {
  job: ClaimedJob;
  layer: LayerRecord;
  /** Commit that was read; empty for a directory. */
  reference: string;
}

/**
 * Throws `ingest.frozen` if a window is active, unless two admins approved the ingest of this commit.
 * Returns the windows that the ingest overrides.
 */
export async function requireIngestUnfrozen(
  registry: Registry,
  reads: Pick<StoreReads, 'freezes' | 'grants'>,
  { job, layer, reference }: CheckedIngest,
): Promise<ActiveWindow[]> {
  const { tenant, record } = job;
  const blocking = await listBlocking(registry, reads.freezes, tenant, 'ingest');
  const [window] = blocking;
  if (window === undefined) return [];
  const { break_glass } = record.request;
  const read = reference === '' ? ANY_REFERENCE : reference;
  if (break_glass === undefined) throw frozen(window, layer, read);
  requireDistinctAdmins(registry, window);
  const approvals = await listUsableApprovals(registry, reads, tenant, record.job);
  const change = { layer_id: layer.id, reference: read, window_name: '' };
  if (isApproved(approvals, change, break_glass.approvers)) return blocking;
  const [approved] = listApprovedReferences(approvals, layer.id, break_glass.approvers);
  if (approved === undefined) throw missingApprovals(window, `the ingest of \`${layer.id}\``);
  throw moved(window, layer, { approved, read });
}

/** Runs in the first commit of an ingest: uses the approvals, and records the override. */
export async function breakGlassOnCommit(
  registry: Registry,
  writes: StoreWrites,
  checked: CheckedIngest,
  auditContext: AuditContext,
): Promise<void> {
  const overridden = await requireIngestUnfrozen(registry, writes, checked);
  const { job, layer, reference } = checked;
  const { break_glass } = job.record.request;
  if (overridden.length === 0 || break_glass === undefined) return;
  const { approvers, justification } = break_glass;
  const read = reference === '' ? ANY_REFERENCE : reference;
  const change = { layer_id: layer.id, reference: read, window_name: '' };
  await useApprovals(writes, job.tenant, change, approvers, job.record.job);
  await writes.audit.append(job.tenant, [
    buildAuditRecord(auditContext, 'freeze.break_glass', {
      layer: layer.id,
      reference: read,
      job: job.record.job,
      windows: overridden.map(({ name }) => name),
      approvers: [...new Set(approvers)],
      justification,
    }),
  ]);
}

function frozen(window: ActiveWindow, { id }: LayerRecord, reference: string): CatalogError {
  return new CatalogError(
    'ingest.frozen',
    `The freeze window \`${window.name}\` blocks the ingest of \`${id}\` until ${window.end.toISOString()}.`,
    {
      details: { ...windowDetails(window), layer: id, reference },
      suggested_action: `The registry ingests the layer when the window ends. To ingest it now, two admins run \`catalog freeze approve --layer ${id} --reference '${reference}'\`.`,
    },
  );
}

function moved(
  window: ActiveWindow,
  { id }: LayerRecord,
  { approved, read }: { approved: string; read: string },
): CatalogError {
  return new CatalogError(
    'ingest.frozen',
    `The source of \`${id}\` is at ${read}, but the admins approved ${approved}.`,
    {
      details: { ...windowDetails(window), layer: id, reference: read, constraint: 'moved_head' },
      suggested_action: `Review the new commit, and approve it with \`catalog freeze approve --layer ${id} --reference '${read}'\`.`,
    },
  );
}
