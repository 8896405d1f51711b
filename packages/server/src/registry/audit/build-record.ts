import type { AuditRecord } from '@catalog/core/ports/audit';
import type { Occasion } from '../occasion.ts';

type AuditFacts = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/**
 * Flat, with dotted keys (SPEC-31). `type` is the name of the accompanying event, or a separate name if
 * no event is published.
 */
export function buildAuditRecord(occasion: Occasion, type: string, facts: AuditFacts): AuditRecord {
  return {
    ...facts,
    type,
    timestamp: occasion.now.toISOString(),
    trace_id: occasion.trace_id,
    'caller.public_mode': occasion.public_mode,
    'caller.kind': occasion.caller.kind,
    ...callerFacts(occasion),
  };
}

/**
 * A subject appears under its own name, other callers under `system:`: the public in public mode, the
 * operator without an identity provider (SPEC-1), or the registry itself. A subject can have any name,
 * including one of these, so `caller.kind` distinguishes them.
 */
function callerFacts({
  caller,
  public_mode,
}: Occasion): AuditFacts & { 'caller.identity': string } {
  if (caller.kind === 'system') return { 'caller.identity': `system:${caller.name}` };
  if (caller.kind === 'open') {
    return { 'caller.identity': public_mode ? 'system:public' : 'system:operator' };
  }
  if (caller.kind !== 'subject') return { 'caller.identity': 'system:anonymous' };
  const { subject, email = '', groups } = caller;
  return {
    'caller.identity': subject,
    'caller.groups': groups,
    ...(email === '' ? {} : { 'caller.email': email }),
  };
}
