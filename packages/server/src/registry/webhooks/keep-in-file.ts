import type { KeptReceiver } from '@catalog/core/ports/receiver-file';
import type { Receiver } from '@catalog/core/ports/receivers';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';

/** Makes the receivers those of the file, if there is one; otherwise the file is begun with what the store has. */
export async function loadReceiverFile(registry: Registry): Promise<void> {
  const kept = await registry.webhooks.file?.read();
  if (kept === undefined) return keepInFile(registry);
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
      else await receivers.add(ONLY_TENANT, toReceiver(receiver, newest));
    }
  });
}

/** Writes the receivers to the file, if the settings name one. */
export async function keepInFile({ store, webhooks: { file } }: Registry): Promise<void> {
  await file?.write(async () => (await store.receivers.list(ONLY_TENANT)).map(toKept));
}

function toKept(receiver: Receiver): KeptReceiver {
  const { id, url, secret, previous_secret, previous_secret_until } = receiver;
  const { event_filter, debounce_ms, disabled_by, created_at } = receiver;
  return {
    id,
    url,
    secret,
    previous_secret,
    previous_secret_until,
    event_filter,
    debounce_ms,
    disabled_by,
    created_at,
  };
}

function toReceiver(kept: KeptReceiver, cursor: number): Receiver {
  return {
    ...kept,
    cursor,
    window_end: null,
    paused_until: null,
    failure_count: 0,
    failing_since: null,
    last_delivery: null,
    last_failure: null,
  };
}
