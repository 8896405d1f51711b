import type { Whoami } from '@catalog/contract/records/access';
import { mayManageLayers } from '@catalog/core/authorize';
import type { CallContext, Registry } from '../registry.ts';

export function getWhoami(
  { settings }: Pick<Registry, 'settings'>,
  { caller }: Pick<CallContext, 'caller'>,
): Whoami {
  const admin = mayManageLayers(caller, settings);
  if (caller.kind !== 'subject') return { admin };
  const { subject, email = '' } = caller;
  return { subject, ...(email === '' ? {} : { email }), admin };
}
