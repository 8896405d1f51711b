/** Names groups as the registry does; sorted, each once. */
export type GroupMapping = (claimed: readonly string[]) => string[];

/** From entries `claimed=group`; groups that none names keep their own. */
export function createGroupMapping(entries: readonly string[]): GroupMapping {
  const names = new Map<string, string[]>();
  for (const entry of entries) {
    const { claimed, group } = readMapping(entry);
    names.set(claimed, [...(names.get(claimed) ?? []), group]);
  }
  return (claimed) => [...new Set(claimed.flatMap((name) => names.get(name) ?? [name]))].sort();
}

/** Split at the last `=`: what a directory calls a group (`CN=eng,OU=it`) may hold some itself. */
export function readMapping(entry: string): { claimed: string; group: string } {
  const equals = entry.lastIndexOf('=');
  return { claimed: entry.slice(0, equals).trim(), group: entry.slice(equals + 1).trim() };
}
