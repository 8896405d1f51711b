import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const SAME_SITE: ReadonlySet<string> = new Set(['same-origin', 'none']);

/** A request that changes something and that a page of another site has sent (CSRF-01 to CSRF-08). */
export function isCrossSiteWrite(method: string, headers: IncomingHttpHeaders): boolean {
  if (SAFE_METHODS.has(method)) return false;
  const site = headers['sec-fetch-site'];
  // A header that was sent twice arrives as one value with a comma, and is none of these.
  if (site !== undefined && !SAME_SITE.has(site)) return true;
  const { origin } = headers;
  return origin !== undefined && authorityOf(origin) !== withoutUsualPort(headers.host ?? '');
}

/** Host and port of an `Origin`; undefined for `null` and whatever else names no host (SPEC-32). */
function authorityOf(origin: string): string | undefined {
  const match = /^[a-z][a-z0-9+.-]*:\/\/([^/?#@\s,]+)$/i.exec(origin);
  return match?.[1] === undefined ? undefined : withoutUsualPort(match[1]);
}

/** The scheme is not compared, so that both usual ports mean the same as none (SPEC-32). */
function withoutUsualPort(authority: string): string {
  return authority.toLowerCase().replace(/:(?:80|443)$/, '');
}

/**
 * A request with two `Host` headers is addressed to one place as far as Node tells and to another as
 * far as whoever stood in between did.
 */
export function namesSeveralHosts(rawHeaders: readonly string[]): boolean {
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
 * Creates a check whether `Host` is an IP address, this machine or a configured name. A page whose name
 * was made to resolve to the registry's address sends its own name (SPEC-53, SPEC-92). Browsers always
 * send the header.
 */
export function createHostCheck(allowed: AllowedHosts): (host: string | undefined) => boolean {
  if (allowed === 'any') return () => true;
  // Nearly every request names the same host as the one before it.
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

/** A `Host` value without its port, its brackets and its case. */
function hostname(host: string): string {
  const name = host.toLowerCase();
  if (name.startsWith('[')) return name.slice(1, name.indexOf(']'));
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(0, colon);
}
