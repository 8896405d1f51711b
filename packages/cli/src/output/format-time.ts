/** Formats `2026-03-01 09:30 UTC`; a dash for a missing time. */
export function formatTime(timestamp: string | undefined | null): string {
  if (timestamp === undefined || timestamp === null || timestamp === '') return '-';
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`;
}
