import type { WebhookDelivery } from '@catalog/contract/records/webhook';
import type { Dispatch } from '@catalog/core/ports/dispatches';

export function toWireDelivery(dispatch: Dispatch): WebhookDelivery {
  const { id, event, cursor, state, attempts, created_at, not_before, worker } = dispatch;
  const { last_attempt, status, duration_ms, response, error } = dispatch;
  return {
    id,
    event,
    cursor: String(cursor),
    state,
    attempts,
    created_at,
    ...(state === 'pending' && worker === null ? { next_attempt: not_before } : {}),
    ...(last_attempt === null ? {} : { last_attempt }),
    ...(status === null ? {} : { status }),
    ...(duration_ms === null ? {} : { duration_ms }),
    ...(response === null ? {} : { response }),
    ...(error === null ? {} : { error }),
  };
}
