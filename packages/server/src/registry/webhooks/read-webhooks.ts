import type { WebhookReceiver, WebhookReceiverList } from '@catalog/contract/records/webhook';
import type { CallContext, Registry } from '../registry.ts';
import { receiverNotFound } from './not-found.ts';
import { toWireReceiver } from './to-wire-receiver.ts';

export async function listWebhooks(
  { store }: Registry,
  { tenant }: CallContext,
): Promise<WebhookReceiverList> {
  const receivers = await store.receivers.list(tenant);
  return { receivers: receivers.map(toWireReceiver) };
}

export async function getWebhook(
  { store }: Registry,
  { tenant }: CallContext,
  id: string,
): Promise<WebhookReceiver> {
  const receiver = await store.receivers.get(tenant, id);
  if (receiver === undefined) throw receiverNotFound(id);
  return toWireReceiver(receiver);
}
