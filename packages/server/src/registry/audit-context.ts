import type { Caller } from '@catalog/core/identity/caller';
import type { SystemActor } from './audit/identity-of.ts';
import type { CallContext, Registry } from './registry.ts';

export interface AuditContext {
  trace_id: string;
  caller: Caller | SystemActor;
  now: Date;
  public_mode: boolean;
}

export function callAuditContext(registry: Registry, context: CallContext): AuditContext {
  return {
    trace_id: context.trace_id,
    caller: context.caller,
    now: registry.now(),
    public_mode: registry.settings.public_mode,
  };
}

export function systemAuditContext(
  registry: Registry,
  name: string,
  trace_id = newTrace(registry),
): AuditContext {
  return {
    trace_id,
    caller: { kind: 'system', name },
    now: registry.now(),
    public_mode: registry.settings.public_mode,
  };
}

/** Returns a new trace id in the W3C format, 32 hex digits. */
export function newTrace(registry: Registry): string {
  return registry.newId().replaceAll('-', '');
}
