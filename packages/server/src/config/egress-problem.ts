import { isIP } from 'node:net';
import { addressProblem } from '@catalog/core/network/address-problem';
import { isListed } from '@catalog/core/network/host-list';
import type { Settings } from './settings.ts';

/** Returns the reason why the egress rules reject a URL; undefined if they allow it. */
export function egressProblem(
  settings: Settings,
  address: string,
): { reason: string; host: string } | undefined {
  const url = new URL(address);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  if (isListed(settings['egress.allowed_hosts'], host, port)) return undefined;
  const problem = isIP(host) === 0 ? undefined : addressProblem(host);
  if (url.protocol === 'https:' && problem === undefined) return undefined;
  return {
    reason: `${host} ${problem ?? 'uses plain http'}, which is allowed only for hosts in egress.allowed_hosts`,
    host: url.host,
  };
}
