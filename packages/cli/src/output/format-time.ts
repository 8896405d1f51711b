/** `2026-03-01 09:30 UTC`; a dash for no time at all. */
export function formatTime(timestamp: string | undefined | null): string {
  if (timestamp === undefined || timestamp === null || timestamp === '') return '-';
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`;
}
