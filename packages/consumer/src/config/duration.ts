const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const DURATION = /^([1-9]\d{0,5})(ms|s|m|h)$/;
/** Maximum duration: a longer timer would overflow and fire immediately. */
const MAX_DURATION_MS = 24 * 3_600_000;

/** Parses a duration such as `30s` or `5m` into milliseconds, up to one day; undefined if it is invalid. */
export function parseDuration(text: string): number | undefined {
  const [, number, unit = ''] = DURATION.exec(text) ?? [];
  const length = Number(number) * (UNITS[unit] ?? NaN);
  return length <= MAX_DURATION_MS ? length : undefined;
}
