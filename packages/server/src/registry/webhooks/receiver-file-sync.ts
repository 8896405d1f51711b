import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { newReceiver, toKept } from '@catalog/core/webhook/kept-receiver';
import type { Registry } from '../registry.ts';

/** Replaces the receivers by those of the file. Creates a missing file from the store. */
export async function loadReceiverFile(registry: Registry): Promise<void> {
  const kept = await registry.webhooks.file?.read();
  if (kept === undefined) return saveReceiverFile(registry);
  await registry.store.transaction(async ({ receivers, outbox }) => {
    const { newest } = await outbox.bounds(ONLY_TENANT);
    const stored = await receivers.list(ONLY_TENANT);
    const named = new Set(kept.map(({ id }) => id));
    for (const { id } of stored) {
      if (!named.has(id)) await receivers.remove(ONLY_TENANT, id);
    }
    const known = new Set(stored.map(({ id }) => id));
    for (const receiver of kept) {
      if (known.has(receiver.id)) await receivers.define(ONLY_TENANT, receiver.id, receiver);
      else await receivers.add(ONLY_TENANT, newReceiver(receiver, newest));
    }
  });
}

export async function saveReceiverFile({ store, webhooks: { file } }: Registry): Promise<void> {
  await file?.write(async () => (await store.receivers.list(ONLY_TENANT)).map(toKept));
}
