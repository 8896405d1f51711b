import type { LocalState } from './local-state.ts';

/** Viewer of a sync, stored on this machine and never in the lock (SPEC-73). */
export interface Caller {
  registry: string;
  viewer: string;
}

const NAME = 'delivered-to.json';

/** Returns the viewer of the last sync; undefined if there is none for this registry. */
export function getLastViewer(state: LocalState, registry: string): string | undefined {
  try {
    const record: Caller = JSON.parse(state.read(NAME)?.toString('utf8') ?? '');
    return record.registry === registry && typeof record.viewer === 'string'
      ? record.viewer
      : undefined;
  } catch {
    return undefined;
  }
}

/** Stores the viewer of this sync, so that the next one can detect another caller. */
export function rememberCaller(state: LocalState, { registry, viewer }: Caller): void {
  if (getLastViewer(state, registry) === viewer) return;
  state.write(NAME, `${JSON.stringify({ registry, viewer })}\n`);
}
