import type { AuditRecord } from '@catalog/core/ports/audit';
import type { Occasion } from '../occasion.ts';

type AuditFacts = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/**
 * One audit record: flat, with dotted keys (SPEC-31). `type` is the name of the event it stands
 * beside, or a name of its own where nothing is published.
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
 * Who acted. A subject by its own name; everybody else under `system:`: the public in public mode,
 * the process's own operator where there is no identity provider (SPEC-1), the registry itself.
 * A subject may call itself anything, also that; `caller.kind` tells them apart.
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
