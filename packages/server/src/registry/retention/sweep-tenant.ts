import { isRecoverable } from '@catalog/core/layer/recovery-window';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import { buildAuditRecord } from '../audit/build-record.ts';
import { occasionOfRegistry, type Occasion } from '../occasion.ts';
import type { Registry } from '../registry.ts';
import { pruneInBatches } from './prune-in-batches.ts';

const DAY_MILLISECONDS = 86_400_000;
/** How far back a subscriber can ask for what it missed, and an admin for what receivers got. */
const EVENT_DAYS = 7;
/** Ended ingests kept of each layer. */
const JOBS_KEPT = 100;

/**
 * Forgets what is kept for a time and that time is over: layers past their recovery window with all
 * they held, old events, ended deliveries to webhook receivers, reports of old ingests. What the ledger and the audit say stays for ever.
 */
export async function sweepTenant(registry: Registry, tenant: Tenant): Promise<void> {
  const occasion = occasionOfRegistry(registry, 'retention');
  for (const { id } of await registry.store.layers.listDeleted(tenant)) {
    await registry.store.transaction((writes) =>
      purgeExpired(registry, writes, tenant, id, occasion),
    );
  }
  const before = new Date(occasion.now.getTime() - EVENT_DAYS * DAY_MILLISECONDS);
  await pruneInBatches(registry, ({ outbox }, most) =>
    outbox.prune(tenant, before.toISOString(), most),
  );
  await pruneInBatches(registry, ({ dispatches }, most) =>
    dispatches.prune(tenant, before.toISOString(), most),
  );
  await registry.store.transaction((writes) => writes.jobs.prune(tenant, JOBS_KEPT));
}

/**
 * Removes a layer whose recovery window has closed, and all it held; looks inside the transaction,
 * because it may have been restored meanwhile.
 */
export async function purgeExpired(
  registry: Registry,
  writes: StoreWrites,
  tenant: Tenant,
  id: string,
  occasion: Occasion,
): Promise<void> {
  const layer = await writes.layers.get(tenant, id);
  if (layer === undefined || layer.deleted_at === null) return;
  if (isRecoverable(layer.deleted_at, occasion.now, registry.settings.layer_recovery_days)) return;
  await writes.layers.purge(tenant, layer.number);
  await writes.audit.append(tenant, [buildAuditRecord(occasion, 'layer.purged', { layer: id })]);
}
