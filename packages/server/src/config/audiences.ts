/** The audiences a token may be for: entries trimmed, blanks dropped, each once; the first is canonical. */
export function normalizeAudiences(entries: readonly string[]): string[] {
  return [...new Set(entries.map((entry) => entry.trim()).filter((entry) => entry !== ''))];
}
