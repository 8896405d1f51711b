const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
const PART = /(\d{1,12}(?:\.\d{1,9})?)(ms|[hms])/gy;

/** Parses a duration in Go's format, such as `90s`, `1m30s` or `1.5h`; undefined if it is invalid. */
export function parseDuration(text: string): number | undefined {
  let total = 0;
  let read = 0;
  for (const [part, amount, unit] of text.matchAll(PART)) {
    total += Number(amount) * (UNIT_MS[unit ?? ''] ?? Number.NaN);
    read += part.length;
  }
  return read === text.length && read > 0 ? Math.round(total) : undefined;
}

/** Formats milliseconds as a duration in Go's format: 60,000 becomes `1m0s`. */
export function formatDuration(ms: number): string {
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor(ms / 60_000) % 60;
  const seconds = (ms % 60_000) / 1000;
  if (hours > 0) return `${hours}h${minutes}m${seconds}s`;
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
}
