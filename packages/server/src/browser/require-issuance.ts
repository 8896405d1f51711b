import { readOnlyError } from '@catalog/core/read-only-error';
import type { Registry } from '../registry/registry.ts';

/** A registry that only reads begins no session (OPS-20). */
export function requireIssuance({ store }: Pick<Registry, 'store'>): void {
  if (store.availability().mode === 'read_only') throw readOnlyError();
}
