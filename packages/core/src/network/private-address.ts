import { parseAddress } from './parse-address.ts';

const PRIVATE_RANGES: ReadonlySet<string> = new Set([
  'private',
  'loopback',
  'linkLocal',
  'carrierGradeNat',
  'uniqueLocal',
]);

/**
 * Returns true if an address belongs to this machine or a private network. Other addresses are not necessarily public:
 * a NAT64 address such as `64:ff9b::/96` can lead to either.
 */
export function isPrivateAddress(address: string): boolean {
  const parsed = parseAddress(address);
  return parsed !== undefined && PRIVATE_RANGES.has(parsed.range());
}
