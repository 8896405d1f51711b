/** Carries the transaction of a sign-in that is under way. */
export const TRANSACTION_COOKIE = '__Host-catalog_auth';

/**
 * No script reads them, no plain connection carries them, no other host sets them, and a page of
 * another site sends them with nothing but a visit (SESS-12).
 */
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax';

/** A line of `Set-Cookie`. Without a lifetime the browser keeps it until it is closed. */
export function setCookie(name: string, value: string, lifetime_seconds?: number): string {
  const lifetime = lifetime_seconds === undefined ? '' : `; Max-Age=${lifetime_seconds}`;
  return `${name}=${value}; ${ATTRIBUTES}${lifetime}`;
}

/** The line that takes a cookie away. */
export function clearCookie(name: string): string {
  return setCookie(name, '', 0);
}

/** The value of a cookie in a `Cookie` header; undefined where it is absent or empty. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=');
    if (equals !== -1 && pair.slice(0, equals).trim() === name) {
      return pair.slice(equals + 1).trim() || undefined;
    }
  }
  return undefined;
}
