import { attemptEach } from '@catalog/core/attempt-each';
import { isRecoverable } from '@catalog/core/layer/recovery-window';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import { buildAuditRecord } from '../audit/build-record.ts';
import { systemAuditContext, type AuditContext } from '../audit-context.ts';
import type { Registry } from '../registry.ts';
import { sweepReads } from './sweep-reads.ts';
import { pruneInBatches } from './prune-in-batches.ts';

const DAY_MILLISECONDS = 86_400_000;
const EVENT_DAYS = 7;
const JOBS_KEPT = 100;

/**
 * Removes expired data of a tenant, except the ledger and the audit log. Continues after a failure, and throws the
 * first one at the end.
 */
export async function sweepTenant(
  registry: Registry,
  tenant: Tenant,
  signal: AbortSignal,
): Promise<void> {
  const { store } = registry;
  const auditContext = systemAuditContext(registry, 'retention');
  const before = new Date(auditContext.now.getTime() - EVENT_DAYS * DAY_MILLISECONDS).toISOString();
  await pruneInBatches(
    registry,
    ({ outbox }, max_deleted) => outbox.prune(tenant, before, max_deleted),
    signal,
  );
  await pruneInBatches(
    registry,
    ({ dispatches }, max_deleted) => dispatches.prune(tenant, before, max_deleted),
    signal,
  );
  await store.transaction(({ jobs }) => jobs.prune(tenant, JOBS_KEPT));
  const { now } = auditContext;
  await store.transaction(({ freezes }) => freezes.pruneApprovals(tenant, now.toISOString()));
  await sweepReads(registry, tenant, signal);
  const purge = ({ id }: LayerRecord): Promise<void> =>
    store.transaction((writes) => purgeExpired(registry, writes, tenant, id, auditContext));
  await attemptEach(await store.layers.listDeleted(tenant), purge, signal);
}

/** Purges an expired layer, which is read in the transaction because it may have been restored. */
export async function purgeExpired(
  registry: Registry,
  writes: StoreWrites,
  tenant: Tenant,
  id: string,
  auditContext: AuditContext,
): Promise<void> {
  const layer = await writes.layers.get(tenant, id);
  if (layer === undefined || layer.deleted_at === null) return;
  if (isRecoverable(layer.deleted_at, auditContext.now, registry.settings.layer_recovery_days))
    return;
  await writes.layers.purge(tenant, layer.number);
  await writes.audit.append(tenant, [
    buildAuditRecord(auditContext, 'layer.purged', { layer: id }),
  ]);
}
