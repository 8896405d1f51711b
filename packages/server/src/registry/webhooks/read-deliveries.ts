import type {
  WebhookDeliveryDetails,
  WebhookDeliveryList,
} from '@catalog/contract/records/webhook';
import type { DispatchPosition, DispatchState } from '@catalog/core/ports/dispatches';
import { invalidCursor } from '../discover/invalid-cursor.ts';
import type { CallContext, Registry } from '../registry.ts';
import { deliveryNotFound, receiverNotFound } from './not-found.ts';
import { toWireDelivery } from './to-wire-delivery.ts';

export interface DeliveriesQuery {
  state?: DispatchState | undefined;
  limit: number;
  cursor?: string | undefined;
}

export async function listDeliveries(
  { store }: Registry,
  { tenant }: CallContext,
  receiver: string,
  { state, limit, cursor = '' }: DeliveriesQuery,
): Promise<WebhookDeliveryList> {
  if ((await store.receivers.get(tenant, receiver)) === undefined) throw receiverNotFound(receiver);
  const page = await store.dispatches.list(tenant, receiver, {
    ...(state === undefined ? {} : { state }),
    ...(cursor === '' ? {} : { after: readPosition(cursor) }),
    limit: limit + 1,
  });
  const deliveries = page.slice(0, limit);
  const last = deliveries.at(-1);
  return {
    deliveries: deliveries.map(toWireDelivery),
    ...(page.length > limit && last !== undefined ? { next_cursor: writePosition(last) } : {}),
  };
}

export async function getDelivery(
  { store }: Registry,
  { tenant }: CallContext,
  receiver: string,
  id: string,
): Promise<WebhookDeliveryDetails> {
  const dispatch = await store.dispatches.get(tenant, receiver, id);
  if (dispatch === undefined) throw deliveryNotFound(id);
  return { ...toWireDelivery(dispatch), body: dispatch.body };
}

function writePosition({ created_at, id }: DispatchPosition): string {
  return `${created_at}/${id}`;
}

function readPosition(cursor: string): DispatchPosition {
  const [created_at = '', id = '', ...more] = cursor.split('/');
  const time = new Date(created_at);
  const isWritten = !Number.isNaN(time.getTime()) && time.toISOString() === created_at;
  if (!isWritten || id === '' || more.length > 0) throw invalidCursor();
  return { created_at, id };
}
