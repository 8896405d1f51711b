import type { Caller } from '@catalog/core/identity/caller';

/** Part of the registry that acts on its own. */
export interface SystemActor {
  kind: 'system';
  /** Name of the component in one word: `ingest`, `retention`. */
  name: string;
}

/**
 * Returns the name of a caller in audit records. Callers without a subject are named under `system:`: the public in public
 * mode, the operator without authentication (SPEC-1), or the registry itself. `caller.kind` identifies them, because a
 * subject can have the same name.
 */
export function identityOf(caller: Caller | SystemActor, public_mode: boolean): string {
  if (caller.kind === 'subject') return caller.subject;
  if (caller.kind === 'system') return `system:${caller.name}`;
  if (caller.kind === 'open') return public_mode ? 'system:public' : 'system:operator';
  return 'system:anonymous';
}
