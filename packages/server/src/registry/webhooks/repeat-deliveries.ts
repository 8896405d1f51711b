import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { RecoveredDeliveries, WebhookDelivery } from '@catalog/contract/records/webhook';
import type { NewDispatch } from '@catalog/core/ports/dispatches';
import type { Receiver } from '@catalog/core/ports/receivers';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import { actorOf } from '../events/build-event.ts';
import { occasionOfCall } from '../occasion.ts';
import type { CallContext, Registry } from '../registry.ts';
import { deliveryNotFound, receiverNotFound } from './not-found.ts';
import { recordReceiverChange } from './record-receiver-change.ts';
import { toWireDelivery } from './to-wire-delivery.ts';

/** Queues a delivery that matches no filter, to see whether the receiver works. */
export async function testWebhook(
  registry: Registry,
  context: CallContext,
  id: string,
): Promise<WebhookDelivery> {
  const { tenant } = context;
  return registry.store.transaction(async (writes) => {
    const occasion = occasionOfCall(registry, context);
    const { newest } = await writes.outbox.bounds(tenant);
    const receiver = await lockEnabled(writes, tenant, id);
    const created_at = occasion.now.toISOString();
    const dispatch: NewDispatch = {
      id: `msg_${registry.newId()}`,
      receiver: id,
      event: 'webhook.test',
      cursor: newest,
      body: JSON.stringify({
        event: 'webhook.test',
        trace_id: occasion.trace_id,
        timestamp: created_at,
        actor: actorOf(occasion),
        data: { receiver: id },
        cursor: String(newest),
      }),
      created_at,
      not_before: created_at,
      worker: null,
    };
    await writes.dispatches.add(tenant, dispatch);
    await endPause(writes, tenant, receiver);
    const added = await writes.dispatches.get(tenant, id, dispatch.id);
    if (added === undefined) throw deliveryNotFound(dispatch.id);
    return toWireDelivery(added);
  });
}

/** Queues a delivery again, whatever became of it. */
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

/** Queues every delivery again that failed and was created at or after a time. */
export async function recoverDeliveries(
  registry: Registry,
  context: CallContext,
  id: string,
  since: string,
): Promise<RecoveredDeliveries> {
  const { tenant } = context;
  return registry.store.transaction(async (writes) => {
    const receiver = await lockEnabled(writes, tenant, id);
    const occasion = occasionOfCall(registry, context);
    const from = new Date(since).toISOString();
    const now = occasion.now.toISOString();
    const recovered = await writes.dispatches.restartFailed(tenant, id, from, now);
    await endPause(writes, tenant, receiver);
    await recordReceiverChange(writes, tenant, occasion, 'recover', receiver);
    return { recovered };
  });
}

async function lockEnabled(writes: StoreWrites, tenant: Tenant, id: string): Promise<Receiver> {
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

/** Somebody wants to know now whether the receiver works. */
async function endPause(writes: StoreWrites, tenant: Tenant, receiver: Receiver): Promise<void> {
  await writes.receivers.setHealth(tenant, receiver.id, { ...receiver, paused_until: null });
}
