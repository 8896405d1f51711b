import {
  MASKED_SECRET,
  type UpdateWebhookBody,
  type WebhookReceiver,
} from '@catalog/contract/records/webhook';
import type { Receiver, ReceiverDefinition } from '@catalog/core/ports/receivers';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import { laterBy } from '@catalog/core/webhook/receiver-health';
import { requireAuditVolume } from '../access/require-audit-volume.ts';
import { callAuditContext } from '../audit-context.ts';
import type { CallContext, Registry } from '../registry.ts';
import { readDebounce, readEventFilter } from './create-webhook.ts';
import { saveReceiverFile } from './receiver-file-sync.ts';
import { receiverNotFound } from './not-found.ts';
import { requireLongSecret } from './require-long-secret.ts';
import { recordReceiverChange } from './record-receiver-change.ts';
import { toWireReceiver } from './to-wire-receiver.ts';

/** Time in which the former secret signs too. */
const SECRET_OVERLAP_MS = 86_400_000;

export async function updateWebhook(
  registry: Registry,
  context: CallContext,
  id: string,
  body: UpdateWebhookBody,
): Promise<WebhookReceiver> {
  const { tenant, signal } = context;
  if (body.url !== undefined) await registry.webhooks.sender.check(body.url, signal);
  const updated = await registry.store.transaction(async (writes) => {
    await requireAuditVolume(registry, writes.tenants, tenant);
    const stored = await writes.receivers.lock(tenant, id);
    if (stored === undefined) throw receiverNotFound(id);
    const auditContext = callAuditContext(registry, context);
    await writes.receivers.define(tenant, id, redefine(stored, body, auditContext.now));
    if (body.disabled === false) await resume(writes, tenant, stored);
    const receiver = (await writes.receivers.get(tenant, id)) ?? stored;
    await recordReceiverChange(writes, tenant, auditContext, 'update', receiver);
    return toWireReceiver(receiver);
  });
  await saveReceiverFile(registry);
  return updated;
}

function redefine(stored: Receiver, body: UpdateWebhookBody, now: Date): ReceiverDefinition {
  const { secret = MASKED_SECRET, event_filter, debounce, disabled } = body;
  const isRotated = secret !== MASKED_SECRET && secret !== stored.secret;
  if (isRotated) requireLongSecret(secret);
  return {
    url: body.url ?? stored.url,
    secret: isRotated ? secret : stored.secret,
    previous_secret: isRotated ? stored.secret : stored.previous_secret,
    previous_secret_until: isRotated
      ? laterBy(now, SECRET_OVERLAP_MS)
      : stored.previous_secret_until,
    event_filter: event_filter === undefined ? stored.event_filter : readEventFilter(event_filter),
    debounce_ms: debounce === undefined ? stored.debounce_ms : readDebounce(debounce),
    ordered: body.ordered ?? stored.ordered,
    disabled_by: disabled === undefined ? stored.disabled_by : disabled ? 'admin' : null,
  };
}

/** Enables a receiver. Skips events from the time when an administrator had disabled it, but not after failures. */
async function resume(writes: StoreWrites, tenant: Tenant, stored: Receiver): Promise<void> {
  await writes.receivers.setHealth(tenant, stored.id, {
    ...stored,
    disabled_by: null,
    paused_until: null,
    failure_count: 0,
    failing_since: null,
  });
  if (stored.disabled_by !== 'admin') return;
  const { newest } = await writes.outbox.bounds(tenant);
  await writes.receivers.setCursor(tenant, stored.id, newest);
}
