import ipaddr from 'ipaddr.js';
import { parseAddress } from './parse-address.ts';

/** Addresses that are public by their number and yet answer for the machine they are asked from. */
const METADATA = new Set(['168.63.129.16']);

/**
 * Why an address may not be reached unless the operator says so, or undefined for a public one. Only
 * what is certainly a public host passes: every special range, the forms that carry an IPv4 address
 * inside an IPv6 one, and everything not yet given out are refused.
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

/** All that has ever been given out to public hosts. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
