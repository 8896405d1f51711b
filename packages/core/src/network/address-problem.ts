import ipaddr from 'ipaddr.js';
import { parseAddress } from './parse-address.ts';

/** Public addresses that lead to services of the local host. */
const METADATA = new Set(['168.63.129.16']);

/**
 * Returns why an address needs permission by the operator; undefined for a public address. All special ranges, IPv6
 * forms that contain an IPv4 address, and unallocated ranges need it.
 */
export function addressProblem(address: string): string | undefined {
  const parsed = parseAddress(address);
  if (parsed === undefined) return 'is not an IP address';
  const range = parsed.range();
  if (range !== 'unicast') return `is in the range "${range}"`;
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_UNICAST)) {
    return 'is not a global address';
  }
  return METADATA.has(parsed.toString()) ? 'belongs to the host itself' : undefined;
}

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
