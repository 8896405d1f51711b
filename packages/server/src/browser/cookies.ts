export const TRANSACTION_COOKIE = '__Host-catalog_auth';

/**
 * Attributes of every cookie: not for scripts, plain connections or other hosts. A page of another site can send
 * cookies only by navigation (SESS-12).
 */
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax';

/** Formats a `Set-Cookie` header. Without a lifetime, the browser drops the cookie when it closes. */
export function setCookie(name: string, value: string, lifetime_seconds?: number): string {
  const lifetime = lifetime_seconds === undefined ? '' : `; Max-Age=${lifetime_seconds}`;
  return `${name}=${value}; ${ATTRIBUTES}${lifetime}`;
}

export function clearCookie(name: string): string {
  return setCookie(name, '', 0);
}

/** Returns the value of a cookie; undefined if it is absent or empty. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=');
    if (equals !== -1 && pair.slice(0, equals).trim() === name) {
      return pair.slice(equals + 1).trim() || undefined;
    }
  }
  return undefined;
}
