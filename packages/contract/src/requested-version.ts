/** Treats `latest` like no version. */
export function toRequestedVersion(text: string): string {
  return text === 'latest' ? '' : text;
}
