import type { LockFile } from './types.ts';

/** The owner in the lock of what an agent loaded over MCP (SPEC-45). */
const OWNER = 'mcp';

/** Whether rows of a target are what an agent loaded. */
export function isLoadedBy(target: string): boolean {
  return target === OWNER || target.startsWith(`${OWNER}:`);
}

/**
 * The owner of what an agent loads for a harness. A target of the lock has one harness: where agents of
 * several harnesses work in one folder, the later ones add the name of theirs.
 */
export function loadedOwner(harness: string, { targets }: Pick<LockFile, 'targets'>): string {
  const first = targets.find(({ id }) => id === OWNER);
  return first === undefined || first.harness === harness ? OWNER : `${OWNER}:${harness}`;
}

/** Start of the owner of an entry that the user asked for once; no target of a configuration starts like it. */
export const STANDING_OWNER = 'mcp-config:';
