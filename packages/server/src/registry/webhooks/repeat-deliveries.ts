import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { RecoveredDeliveries, WebhookDelivery } from '@catalog/contract/records/webhook';
import type { Receiver } from '@catalog/core/ports/receivers';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import { callAuditContext } from '../audit-context.ts';
import type { CallContext, Registry } from '../registry.ts';
import { deliveryNotFound, receiverNotFound } from './not-found.ts';
import { recordReceiverChange } from './record-receiver-change.ts';
import { toWireDelivery } from './to-wire-delivery.ts';

export async function redeliver(
  registry: Registry,
  { tenant }: CallContext,
  id: string,
  delivery: string,
): Promise<WebhookDelivery> {
  return registry.store.transaction(async (writes) => {
    const receiver = await lockEnabled(writes, tenant, id);
    const now = registry.now().toISOString();
    const dispatch = await writes.dispatches.restart(tenant, id, delivery, now);
    if (dispatch === undefined) throw deliveryNotFound(delivery);
    await endPause(writes, tenant, receiver);
    return toWireDelivery(dispatch);
  });
}

export async function recoverDeliveries(
  registry: Registry,
  context: CallContext,
  id: string,
  since: string,
): Promise<RecoveredDeliveries> {
  const { tenant } = context;
  return registry.store.transaction(async (writes) => {
    const receiver = await lockEnabled(writes, tenant, id);
    const auditContext = callAuditContext(registry, context);
    const from = new Date(since).toISOString();
    const now = auditContext.now.toISOString();
    const recovered = await writes.dispatches.restartFailed(tenant, id, from, now);
    await endPause(writes, tenant, receiver);
    await recordReceiverChange(writes, tenant, auditContext, 'recover', receiver);
    return { recovered };
  });
}

export async function lockEnabled(
  writes: StoreWrites,
  tenant: Tenant,
  id: string,
): Promise<Receiver> {
  const receiver = await writes.receivers.lock(tenant, id);
  if (receiver === undefined) throw receiverNotFound(id);
  if (receiver.disabled_by === null) return receiver;
  throw new CatalogError(
    'registry.invalid_argument',
    `Webhook receiver \`${id}\` is disabled, so nothing is sent to it.`,
    {
      suggested_action: `Enable it first: \`catalog webhook update ${id} --enable\`.`,
    },
  );
}

/** Ends the pause of a receiver, because a user requested a delivery. */
async function endPause(writes: StoreWrites, tenant: Tenant, receiver: Receiver): Promise<void> {
  await writes.receivers.setHealth(tenant, receiver.id, { ...receiver, paused_until: null });
}
