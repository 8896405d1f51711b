import type { Caller } from '@catalog/core/identity/caller';
import type { CallContext, Registry } from './registry.ts';

/** The registry acting of its own accord: an ingest, a sweep. */
export interface RegistryItself {
  kind: 'system';
  /** What acts, in one word: `ingest`, `retention`. */
  name: string;
}

/** Who did something, when, and in which request: what an event and an audit record say of it. */
export interface Occasion {
  trace_id: string;
  caller: Caller | RegistryItself;
  now: Date;
  public_mode: boolean;
}

/** The occasion of a call that is being answered. */
export function occasionOfCall(registry: Registry, context: CallContext): Occasion {
  return {
    trace_id: context.trace_id,
    caller: context.caller,
    now: registry.now(),
    public_mode: registry.settings.public_mode,
  };
}

/** The occasion of something the registry does by itself, with its own trace unless one is given. */
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

/** Returns a new trace id of the W3C recommendation: 32 hex digits. */
export function newTrace(registry: Registry): string {
  return registry.newId().replaceAll('-', '');
}
