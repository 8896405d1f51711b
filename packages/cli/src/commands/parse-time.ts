const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Parses a date (midnight UTC) or an RFC 3339 time; undefined if it is invalid. */
export function parseTime(given: string): string | undefined {
  if (!DAY.test(given) && !TIME.test(given)) return undefined;
  const time = new Date(given);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
