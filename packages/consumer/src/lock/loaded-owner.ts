import type { LockFile } from './types.ts';

/** Owner in the lock of artifacts that an agent loaded over MCP (SPEC-45). */
const OWNER = 'mcp';

export function isLoadedBy(target: string): boolean {
  return target === OWNER || target.startsWith(`${OWNER}:`);
}

/**
 * Returns the owner of artifacts loaded for a harness. If agents of several harnesses use one folder, later ones add
 * the name of theirs.
 */
export function loadedOwner(harness: string, { targets }: Pick<LockFile, 'targets'>): string {
  const first = targets.find(({ id }) => id === OWNER);
  return first === undefined || first.harness === harness ? OWNER : `${OWNER}:${harness}`;
}

/** Prefix of owners for entries that a command added. No configured target has it. */
export const MANUAL_ENTRY_OWNER = 'mcp-config:';
