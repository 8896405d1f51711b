/** The result is sorted and unique. */
export type GroupMapping = (claimed: readonly string[]) => string[];

/** Entries are `claimed=group`. Groups without an entry keep their names. */
export function createGroupMapping(entries: readonly string[]): GroupMapping {
  const names = new Map<string, string[]>();
  for (const entry of entries) {
    const { claimed, group } = readMapping(entry);
    names.set(claimed, [...(names.get(claimed) ?? []), group]);
  }
  return (claimed) => [...new Set(claimed.flatMap((name) => names.get(name) ?? [name]))].sort();
}

/** Splits at the last `=`, because a claimed name (`CN=eng,OU=it`) can contain `=`. */
export function readMapping(entry: string): { claimed: string; group: string } {
  const equals = entry.lastIndexOf('=');
  return { claimed: entry.slice(0, equals).trim(), group: entry.slice(equals + 1).trim() };
}
