import type { IncomingMessage } from 'node:http';
import { readCookie } from '../browser/cookies.ts';

/** The cookie in which the browser sign-in keeps an access token. */
export const SESSION_COOKIE = '__Host-catalog_session';

const BEARER = /^bearer(?:\s+|$)/i;

/**
 * The bearer credential of a header; undefined where it has none, as with another scheme. Sent twice
 * it is joined by a comma, and such a text is no token: a proxy may have looked at the other one.
 */
export function readBearer({ rawHeaders }: IncomingMessage, header: string): string | undefined {
  let text: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== header) continue;
    const value = rawHeaders[at + 1] ?? '';
    text = text === undefined ? value : `${text}, ${value}`;
  }
  if (text === undefined || !BEARER.test(text)) return undefined;
  return text.replace(BEARER, '').trim() || undefined;
}

/** The access token of a browser session. */
export function readSessionCookie({ headers }: IncomingMessage): string | undefined {
  return readCookie(headers.cookie, SESSION_COOKIE);
}
