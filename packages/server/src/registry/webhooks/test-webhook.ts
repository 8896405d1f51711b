import type { WebhookDelivery } from '@catalog/contract/records/webhook';
import {
  TEST_EVENT,
  toUnsent,
  type Dispatch,
  type NewDispatch,
} from '@catalog/core/ports/dispatches';
import type { Receiver } from '@catalog/core/ports/receivers';
import type { Tenant } from '@catalog/core/ports/tenant';
import { laterBy } from '@catalog/core/webhook/receiver-health';
import { actorOf } from '../events/build-event.ts';
import { callAuditContext } from '../audit-context.ts';
import type { CallContext, Registry } from '../registry.ts';
import { attemptDispatch } from './attempt-dispatch.ts';
import { storeResults } from './exchange-dispatches.ts';
import { lockEnabled } from './repeat-deliveries.ts';
import { toWireDelivery } from './to-wire-delivery.ts';

/** Time reserved for this process. If it stops, another one sends the test afterwards. */
const LOCAL_ATTEMPT_MS = 60_000;

/**
 * Sends a test event to a receiver, regardless of its filter. This process sends it immediately, so that pending
 * deliveries do not delay the test.
 */
export async function testWebhook(
  registry: Registry,
  context: CallContext,
  id: string,
): Promise<WebhookDelivery> {
  const { tenant } = context;
  const { receiver, dispatch } = await registry.store.transaction(async (writes) => {
    const auditContext = callAuditContext(registry, context);
    const { newest } = await writes.outbox.bounds(tenant);
    const created_at = auditContext.now.toISOString();
    const added: NewDispatch = {
      id: `msg_${registry.newId()}`,
      receiver: id,
      event: TEST_EVENT,
      cursor: newest,
      body: JSON.stringify({
        event: TEST_EVENT,
        trace_id: auditContext.trace_id,
        timestamp: created_at,
        actor: actorOf(auditContext),
        data: { receiver: id },
        cursor: String(newest),
      }),
      created_at,
      not_before: laterBy(auditContext.now, LOCAL_ATTEMPT_MS),
      worker: null,
    };
    const enabled = await lockEnabled(writes, tenant, id);
    await writes.dispatches.add(tenant, added);
    return { receiver: enabled, dispatch: toUnsent(added) };
  });
  void registry.webhooks
    .tests(() => send(registry, tenant, receiver, dispatch))
    .catch(() => {
      // The dispatch is still pending, so the worker sends it when it is due.
    });
  return toWireDelivery(dispatch);
}

async function send(
  registry: Registry,
  tenant: Tenant,
  receiver: Receiver,
  dispatch: Dispatch,
): Promise<void> {
  const result = await attemptDispatch(registry, receiver, dispatch, registry.stopping);
  await storeResults({ registry, tenant, id: receiver.id }, [{ dispatch, result }]);
}
