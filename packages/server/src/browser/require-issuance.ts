import { readOnlyError } from '@catalog/core/read-only-error';
import type { Registry } from '../registry/registry.ts';

/** Throws in read-only mode, which starts no sessions (OPS-20). */
export function requireIssuance({ store }: Pick<Registry, 'store'>): void {
  if (store.availability().mode === 'read_only') throw readOnlyError();
}
