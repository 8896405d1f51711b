const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const LENGTH_OF_TIME = /^([1-9]\d{0,5})(ms|s|m|h)$/;
/** Beyond what a timer counts to, it would be over at once. */
const LONGEST_TIME = 24 * 3_600_000;

/** `30s` or `5m` in milliseconds, a day at most; undefined where it is no such length of time. */
export function lengthOfTime(text: string): number | undefined {
  const [, number, unit = ''] = LENGTH_OF_TIME.exec(text) ?? [];
  const length = Number(number) * (UNITS[unit] ?? NaN);
  return length <= LONGEST_TIME ? length : undefined;
}
