/** Returns the requested version; `latest` counts as none. */
export function toRequestedVersion(text: string): string {
  return text === 'latest' ? '' : text;
}
