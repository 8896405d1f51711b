/** Maps claimed groups to sorted, unique groups. */
export type GroupMapping = (claimed: readonly string[]) => string[];

/** Creates a mapping from entries `claimed=group`. Groups without an entry keep their names. */
export function createGroupMapping(entries: readonly string[]): GroupMapping {
  const names = new Map<string, string[]>();
  for (const entry of entries) {
    const { claimed, group } = readMapping(entry);
    names.set(claimed, [...(names.get(claimed) ?? []), group]);
  }
  return (claimed) => [...new Set(claimed.flatMap((name) => names.get(name) ?? [name]))].sort();
}

/** Splits an entry at its last `=`, because a claimed name such as `CN=eng,OU=it` can contain one. */
export function readMapping(entry: string): { claimed: string; group: string } {
  const equals = entry.lastIndexOf('=');
  return { claimed: entry.slice(0, equals).trim(), group: entry.slice(equals + 1).trim() };
}
