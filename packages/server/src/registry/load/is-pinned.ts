/** Whether a pin names one version for ever: an exact one or a content hash, not a range or the latest. */
export function isPinned(version: string): boolean {
  return version !== '' && !version.endsWith('.x');
}
