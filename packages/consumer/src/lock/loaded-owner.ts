import type { LockFile } from './types.ts';

/** Owner of artifacts that an agent loaded over MCP (SPEC-45). */
const OWNER = 'mcp';

export function isLoadedBy(target: string): boolean {
  return target === OWNER || target.startsWith(`${OWNER}:`);
}

/**
 * Returns the owner of artifacts loaded for a harness. A target in the lock has one harness, so if
 * agents of several work in one folder, the later ones append the name of theirs.
 */
export function loadedOwner(harness: string, { targets }: Pick<LockFile, 'targets'>): string {
  const first = targets.find(({ id }) => id === OWNER);
  return first === undefined || first.harness === harness ? OWNER : `${OWNER}:${harness}`;
}

/** For entries that a command added on request. Configured targets never start with it. */
export const MANUAL_ENTRY_OWNER = 'mcp-config:';
