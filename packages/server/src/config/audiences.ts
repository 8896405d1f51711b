/** Removes blank and repeated audiences; the first one is canonical. */
export function normalizeAudiences(entries: readonly string[]): string[] {
  return [...new Set(entries.map((entry) => entry.trim()).filter((entry) => entry !== ''))];
}
