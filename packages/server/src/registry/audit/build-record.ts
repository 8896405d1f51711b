import type { AuditRecord } from '@catalog/core/ports/audit';
import type { AuditContext } from '../audit-context.ts';
import { identityOf } from './identity-of.ts';

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

function callerFacts({
  caller,
  public_mode,
}: AuditContext): AuditFacts & { 'caller.identity': string } {
  const identity = { 'caller.identity': identityOf(caller, public_mode) };
  if (caller.kind !== 'subject') return identity;
  const { email = '', groups } = caller;
  return {
    ...identity,
    'caller.groups': groups,
    ...(email === '' ? {} : { 'caller.email': email }),
  };
}
