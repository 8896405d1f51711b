/** Normalizes a requested version: `latest` means the same as no version at all. */
export function toRequestedVersion(text: string): string {
  return text === 'latest' ? '' : text;
}
