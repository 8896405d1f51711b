import { parseDuration } from '@catalog/contract/duration';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import {
  MASKED_SECRET,
  type CreateWebhookBody,
  type WebhookReceiver,
} from '@catalog/contract/records/webhook';
import type { KeptReceiver } from '@catalog/core/ports/receivers';
import { newReceiver } from '@catalog/core/webhook/kept-receiver';
import { requireAuditVolume } from '../access/require-audit-volume.ts';
import { callAuditContext } from '../audit-context.ts';
import type { CallContext, Registry } from '../registry.ts';
import { saveReceiverFile } from './receiver-file-sync.ts';
import { requireLongSecret } from './require-long-secret.ts';
import { recordReceiverChange } from './record-receiver-change.ts';
import { toWireReceiver } from './to-wire-receiver.ts';

/** Maximum number of receivers, because each of them processes every event. */
const MAX_RECEIVERS = 100;

export async function createWebhook(
  registry: Registry,
  context: CallContext,
  body: CreateWebhookBody,
): Promise<WebhookReceiver> {
  const { tenant, signal } = context;
  await registry.webhooks.sender.check(body.url, signal);
  if (body.secret === MASKED_SECRET) {
    throw new CatalogError(
      'registry.invalid_argument',
      `\`${MASKED_SECRET}\` replaces a secret that is not shown; it cannot be one.`,
      { details: { argument: 'secret' } },
    );
  }
  if (body.secret !== undefined) requireLongSecret(body.secret);
  const secret = body.secret ?? registry.webhooks.newSecret();
  const receiver = await registry.store.transaction(async (writes) => {
    await requireAuditVolume(registry, writes.tenants, tenant);
    const { newest } = await writes.outbox.bounds(tenant);
    if ((await writes.receivers.list(tenant)).length >= MAX_RECEIVERS) {
      throw new CatalogError(
        'registry.invalid_argument',
        `The tenant has ${MAX_RECEIVERS} webhook receivers, which is the limit.`,
        { suggested_action: 'Delete receivers that are not used, or let one forward the events.' },
      );
    }
    const auditContext = callAuditContext(registry, context);
    const kept: KeptReceiver = {
      id: registry.newId(),
      url: body.url,
      secret,
      previous_secret: null,
      previous_secret_until: null,
      event_filter: readEventFilter(body.event_filter ?? null),
      debounce_ms: readDebounce(body.debounce ?? ''),
      ordered: body.ordered ?? false,
      disabled_by: body.disabled === true ? 'admin' : null,
      created_at: auditContext.now.toISOString(),
    };
    const added = newReceiver(kept, newest);
    await writes.receivers.add(tenant, added);
    await recordReceiverChange(writes, tenant, auditContext, 'create', added);
    return added;
  });
  await saveReceiverFile(registry);
  return { ...toWireReceiver(receiver), secret };
}

export function readEventFilter(names: readonly string[] | null): readonly string[] | null {
  return names === null ? null : [...new Set(names)];
}

/** Parses a duration that the contract has validated; null if there is none. */
export function readDebounce(text: string): number | null {
  return text === '' ? null : (parseDuration(text) ?? null);
}
