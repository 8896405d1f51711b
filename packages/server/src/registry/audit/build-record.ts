import type { AuditRecord } from '@catalog/core/ports/audit';
import type { AuditContext } from '../audit-context.ts';

type AuditFacts = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/**
 * Builds an audit record, which is flat with dotted keys (SPEC-31). `type` is the event, or another name if no event is
 * published.
 */
export function buildAuditRecord(
  auditContext: AuditContext,
  type: string,
  facts: AuditFacts,
): AuditRecord {
  return {
    ...facts,
    type,
    timestamp: auditContext.now.toISOString(),
    trace_id: auditContext.trace_id,
    'caller.public_mode': auditContext.public_mode,
    'caller.kind': auditContext.caller.kind,
    ...callerFacts(auditContext),
  };
}

/**
 * Returns the caller for an audit record. Callers without a subject are named under `system:`: the public in public
 * mode, the operator without authentication (SPEC-1), or the registry itself. `caller.kind` identifies them, because a
 * subject can have the same name.
 */
function callerFacts({
  caller,
  public_mode,
}: AuditContext): AuditFacts & { 'caller.identity': string } {
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
