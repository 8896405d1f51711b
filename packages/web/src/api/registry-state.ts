import { useSyncExternalStore } from 'react';

export interface RegistryState {
  /** Maximum age of reads in read-only mode, in seconds; undefined if the registry accepts writes. */
  read_only_lag_seconds: number | undefined;
  reachable: boolean;
  session_rejected: boolean;
}

let state: RegistryState = {
  read_only_lag_seconds: undefined,
  reachable: true,
  session_rejected: false,
};
const listeners = new Set<() => void>();

export function reportState(change: Partial<RegistryState>): void {
  const next = { ...state, ...change };
  const isSame =
    next.read_only_lag_seconds === state.read_only_lag_seconds &&
    next.reachable === state.reachable &&
    next.session_rejected === state.session_rejected;
  if (isSame) return;
  state = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useRegistryState(): RegistryState {
  return useSyncExternalStore(subscribe, () => state);
}
