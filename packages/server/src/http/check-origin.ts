import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const SAME_SITE: ReadonlySet<string> = new Set(['same-origin', 'none']);

/** Returns true for writes that a page of another site sent (CSRF-01 to CSRF-08). */
export function isCrossSiteWrite(method: string, headers: IncomingHttpHeaders): boolean {
  if (SAFE_METHODS.has(method)) return false;
  const site = headers['sec-fetch-site'];
  // A repeated header arrives as one value with a comma and is therefore rejected.
  if (site !== undefined && !SAME_SITE.has(site)) return true;
  const { origin } = headers;
  return origin !== undefined && authorityOf(origin) !== withoutDefaultPort(headers.host ?? '');
}

/** Returns host and port of an origin; undefined for `null` and values without a host (SPEC-32). */
function authorityOf(origin: string): string | undefined {
  const match = /^[a-z][a-z0-9+.-]*:\/\/([^/?#@\s,]+)$/i.exec(origin);
  return match?.[1] === undefined ? undefined : withoutDefaultPort(match[1]);
}

/** Removes the default ports of both schemes, because schemes are not compared (SPEC-32). */
function withoutDefaultPort(authority: string): string {
  return authority.toLowerCase().replace(/:(?:80|443)$/, '');
}

/** Returns true for several `Host` headers: Node and a proxy might use different ones. */
export function hasMultipleHosts(rawHeaders: readonly string[]): boolean {
  let named = false;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (named) return true;
    named = true;
  }
  return false;
}

/** Host names that requests may use; `any` if the registry authenticates callers. */
export type AllowedHosts = 'any' | ReadonlySet<string>;

/**
 * Creates a check of the `Host` header. It accepts IP addresses, this machine and configured names, which prevents DNS
 * rebinding: a page lets its own name resolve to the registry, but must send that name (SPEC-53, SPEC-92).
 */
export function createHostCheck(allowed: AllowedHosts): (host: string | undefined) => boolean {
  if (allowed === 'any') return () => true;
  // Last accepted host, so that consecutive requests need no check.
  let admitted: string | undefined;
  return (host) => {
    if (host === admitted) return true;
    if (host !== undefined && !isAllowedName(hostname(host), allowed)) return false;
    admitted = host;
    return true;
  };
}

function isAllowedName(name: string, allowed: ReadonlySet<string>): boolean {
  const isLoopbackName = name === 'localhost' || name.endsWith('.localhost');
  return isLoopbackName || isIP(name) !== 0 || allowed.has(name);
}

function hostname(host: string): string {
  const name = host.toLowerCase();
  if (name.startsWith('[')) return name.slice(1, name.indexOf(']'));
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(0, colon);
}
