import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { isLoopback } from '@catalog/sdk/is-loopback';

export const MCP_PATH = '/mcp';

export interface RequestHead {
  url?: string | undefined;
  headers: IncomingHttpHeaders;
}

/**
 * Accepts a request only with a local host name, without an origin of another site, and with the secret. The first two
 * conditions reject pages in the user's browser (SPEC-53).
 */
export function admit({ url, headers }: RequestHead, secret: string): CatalogError | undefined {
  if (!isLocalHost(headers.host)) {
    return new CatalogError('auth.csrf_invalid', 'The Host header does not name this machine.', {
      suggested_action: 'Use the URL that catalog-mcp printed at startup.',
    });
  }
  if (isFromOtherSite(headers)) {
    return new CatalogError('auth.csrf_invalid', 'The request came from a page of another site.', {
      suggested_action: 'Configure the URL in the MCP host itself; web pages cannot use it.',
    });
  }
  if (!hasSecret(headers.authorization, secret)) {
    return new CatalogError('auth.untrusted_token', 'The bearer secret is missing or wrong.', {
      suggested_action: 'Send the secret that catalog-mcp printed on stderr at startup.',
    });
  }
  if ((url ?? '').split('?', 1)[0] !== MCP_PATH) {
    return new CatalogError('registry.not_found', `Not found; MCP is served at ${MCP_PATH}.`);
  }
  return undefined;
}

function isLocalHost(host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false;
  const { hostname, username, pathname } = new URL(`http://${host}`);
  return isLoopback(hostname) && username === '' && pathname === '/';
}

function isFromOtherSite(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin } = headers;
  return origin !== undefined && origin.toLowerCase() !== `http://${headers.host}`.toLowerCase();
}

/** Compares the secret in constant time. */
function hasSecret(authorization: string | undefined, secret: string): boolean {
  const given = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
