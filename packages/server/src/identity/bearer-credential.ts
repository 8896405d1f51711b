import type { IncomingMessage } from 'node:http';
import { readCookie } from '../browser/cookies.ts';

export const SESSION_COOKIE = '__Host-catalog_session';

const BEARER = /^bearer(?:\s+|$)/i;

/**
 * Reads a bearer token. A repeated header is joined by a comma, which makes the token invalid: a proxy may have
 * verified only one of the values.
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

export function readSessionCookie({ headers }: IncomingMessage): string | undefined {
  return readCookie(headers.cookie, SESSION_COOKIE);
}
