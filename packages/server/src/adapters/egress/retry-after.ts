/** Parses a `Retry-After` header, which contains seconds or a date. A date is ignored without `now`. */
export function readRetryAfter(value: string | undefined, now?: () => Date): number | undefined {
  if (value === undefined) return undefined;
  if (SECONDS.test(value)) return Number(value) * 1000;
  if (now === undefined || !HTTP_DATE.test(value)) return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now().getTime());
}

/** Some services send a fraction of a second. */
const SECONDS = /^\d{1,9}(?:\.\d{1,9})?$/;
/** Date format that RFC 9110 requires senders to generate. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
