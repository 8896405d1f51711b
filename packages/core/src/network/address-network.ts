import ipaddr from 'ipaddr.js';

/** A range of IP addresses. */
export interface AddressNetwork {
  address: ipaddr.IPv4 | ipaddr.IPv6;
  prefix_length: number;
}

/**
 * Parses an address or a CIDR network. Returns undefined for other spellings: short, octal and hex IPv4,
 * IPv4 inside IPv6, IPv6 zones, and networks with host bits set.
 */
export function parseAddressNetwork(text: string): AddressNetwork | undefined {
  const [address = '', prefix, ...rest] = text.split('/');
  if (rest.length > 0 || !isPlainAddress(address)) return undefined;
  const parsed = ipaddr.parse(address);
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

function isPlainAddress(address: string): boolean {
  if (!address.includes(':')) return ipaddr.IPv4.isValidFourPartDecimal(address);
  if (address.includes('%') || !ipaddr.IPv6.isValid(address)) return false;
  return !ipaddr.IPv6.parse(address).isIPv4MappedAddress();
}

/** Returns whether an address is in one of the networks. An IPv4-mapped address is its IPv4 address. */
export function isInNetworks(networks: readonly AddressNetwork[], address: string): boolean {
  if (networks.length === 0 || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return networks.some(
    ({ address: network, prefix_length }) =>
      network.kind() === parsed.kind() && parsed.match(network, prefix_length),
  );
}
