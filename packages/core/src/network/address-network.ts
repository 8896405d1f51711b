import ipaddr from 'ipaddr.js';
import { parseAddress } from './parse-address.ts';

export interface AddressNetwork {
  address: ipaddr.IPv4 | ipaddr.IPv6;
  prefix_length: number;
}

/** Parses a CIDR network. Rejects short, octal and hex IPv4, IPv4 in IPv6, zones, and networks with host bits. */
export function parseAddressNetwork(text: string): AddressNetwork | undefined {
  const [address = '', prefix, ...rest] = text.split('/');
  const parsed = rest.length === 0 && isPlain(address) ? parseAddress(address) : undefined;
  if (parsed === undefined) return undefined;
  const bits = parsed instanceof ipaddr.IPv4 ? 32 : 128;
  if (prefix === undefined) return { address: parsed, prefix_length: bits };
  if (!/^(?:0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > bits) return undefined;
  const prefix_length = Number(prefix);
  const hasHostBits = parsed.toByteArray().some((byte, index) => {
    const free = Math.min(8, Math.max(0, (index + 1) * 8 - prefix_length));
    return (byte & (2 ** free - 1)) !== 0;
  });
  return hasHostBits ? undefined : { address: parsed, prefix_length };
}

function isPlain(address: string): boolean {
  if (!address.includes(':')) return ipaddr.IPv4.isValidFourPartDecimal(address);
  return !address.includes('%') && parseAddress(address)?.kind() === 'ipv6';
}

/**
 * Returns true if an address is in one of the networks. An IPv4-mapped address counts as its IPv4
 * address.
 */
export function isInNetworks(networks: readonly AddressNetwork[], address: string): boolean {
  const parsed = networks.length === 0 ? undefined : parseAddress(address);
  if (parsed === undefined) return false;
  return networks.some(
    ({ address: network, prefix_length }) =>
      network.kind() === parsed.kind() && parsed.match(network, prefix_length),
  );
}
