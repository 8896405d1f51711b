import type { Caller } from '@catalog/core/identity/caller';
import type { CallContext, Registry } from './registry.ts';

export interface RegistryItself {
  kind: 'system';
  /** Name of the component in one word: `ingest`, `retention`. */
  name: string;
}

export interface Occasion {
  trace_id: string;
  caller: Caller | RegistryItself;
  now: Date;
  public_mode: boolean;
}

export function occasionOfCall(registry: Registry, context: CallContext): Occasion {
  return {
    trace_id: context.trace_id,
    caller: context.caller,
    now: registry.now(),
    public_mode: registry.settings.public_mode,
  };
}

export function occasionOfRegistry(
  registry: Registry,
  name: string,
  trace_id = newTrace(registry),
): Occasion {
  return {
    trace_id,
    caller: { kind: 'system', name },
    now: registry.now(),
    public_mode: registry.settings.public_mode,
  };
}

/** W3C format: 32 hex digits. */
export function newTrace(registry: Registry): string {
  return registry.newId().replaceAll('-', '');
}
