import type {
  FreezeWindow,
  FreezeWindows,
  ShownFreezeWindow,
} from '@catalog/contract/records/freeze';
import type { RegistryClient } from '@catalog/sdk/client';

export interface OverrideFlags {
  justification?: string | undefined;
  approver?: readonly string[] | undefined;
}

/** Stores all windows except one, and its replacement if there is one. */
export function replaceWindow(
  client: RegistryClient,
  before: FreezeWindows,
  { name, window }: { name: string; window?: FreezeWindow },
  { justification, approver }: OverrideFlags,
  signal: AbortSignal,
): Promise<FreezeWindows> {
  const kept = before.windows
    .filter((other) => other.source === 'stored' && other.name !== name)
    .map(toStored);
  const body = {
    windows: window === undefined ? kept : [...kept, window],
    ...(justification === undefined ? {} : { justification }),
    ...(approver === undefined ? {} : { approvers: [...approver] }),
  };
  return client.putFreezeWindows(body, signal);
}

function toStored(window: ShownFreezeWindow): FreezeWindow {
  const { source: _, active: _active, active_until: _until, ...stored } = window;
  return stored;
}
