import type { LocalState } from './local-state.ts';

/** Stored on this machine only, never in the lock (SPEC-73). */
export interface Caller {
  registry: string;
  viewer: string;
}

const NAME = 'delivered-to.json';

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

export function rememberCaller(state: LocalState, { registry, viewer }: Caller): void {
  if (getLastViewer(state, registry) === viewer) return;
  state.write(NAME, `${JSON.stringify({ registry, viewer })}\n`);
}
