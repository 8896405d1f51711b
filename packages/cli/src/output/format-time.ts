/** Formats a time such as `2026-03-01 09:30 UTC`; a dash if it is missing. */
export function formatTime(timestamp: string | undefined | null): string {
  if (timestamp === undefined || timestamp === null || timestamp === '') return '-';
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`;
}
