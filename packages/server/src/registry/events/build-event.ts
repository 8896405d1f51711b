import type { EventName } from '@catalog/contract/event-names';
import type { EventBody, EventData } from '@catalog/contract/events';
import type { AuditContext } from '../audit-context.ts';

/** Builds an event for the outbox, the event stream and webhooks (EVENT-18). */
export function buildEvent<Name extends EventName>(
  auditContext: AuditContext,
  name: Name,
  data: EventData<Name>,
): EventBody {
  return {
    event: name,
    trace_id: auditContext.trace_id,
    timestamp: auditContext.now.toISOString(),
    actor: actorOf(auditContext),
    data: { ...data },
  };
}

/** Returns the actor of an event, without groups: all subscribers of the tenant can read it. */
export function actorOf({ caller, public_mode }: AuditContext): Record<string, string> {
  if (caller.kind === 'system') return { type: 'system', name: caller.name };
  if (caller.kind === 'open') return { type: public_mode ? 'public' : 'operator' };
  if (caller.kind !== 'subject') return {};
  const { subject, email = '' } = caller;
  return { type: 'subject', subject, ...(email === '' ? {} : { email }) };
}
