import type { Json, JsonObject } from '@catalog/core/json';

const SYSTEMS: readonly (readonly [member: string, system: string])[] = [
  ['powershell', 'Windows'],
  ['commandWindows', 'Windows'],
  ['windows', 'Windows'],
  ['linux', 'Linux'],
  ['osx', 'macOS'],
];

/** Values of `shell` for Windows; catalog runs commands in the default shell of the system. */
const WINDOWS_SHELLS: ReadonlySet<string> = new Set(['powershell', 'pwsh', 'cmd']);

/** Returns why a command is for another system; undefined if nothing is lost. */
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
