import type { Json, JsonObject } from '@catalog/core/json';

/** Members of products' hooks that hold the command for one system. */
const SYSTEMS: readonly (readonly [member: string, system: string])[] = [
  ['powershell', 'Windows'],
  ['commandWindows', 'Windows'],
  ['windows', 'Windows'],
  ['linux', 'Linux'],
  ['osx', 'macOS'],
];

/** Shells of Windows, which a member `shell` names; catalog runs commands in the system's own. */
const WINDOWS_SHELLS: ReadonlySet<string> = new Set(['powershell', 'pwsh', 'cmd']);

/**
 * Explains why the command of a hook is not the whole hook: another system has its own, or the command
 * is for a shell of Windows. Returns undefined if nothing would be lost.
 */
export function systemCommandReason(
  hook: JsonObject,
  command: Json | undefined,
): string | undefined {
  const { shell } = hook;
  if (typeof shell === 'string' && WINDOWS_SHELLS.has(shell)) {
    return `its command is for ${shell}, and a hook in a catalog runs in the shell of the system`;
  }
  for (const [member, system] of SYSTEMS) {
    const own = hook[member];
    if (typeof own !== 'string' || own === command) continue;
    return typeof command === 'string'
      ? `it has another command for ${system} (\`${member}\`), and a hook in a catalog has one; give it one command for all systems`
      : `it has a command for ${system} alone (\`${member}\`); give it one command for all systems`;
  }
  return undefined;
}
