import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/**
 * Returns the address of the client. Forwarded addresses count only if a trusted proxy sent them; the last one that is
 * not a trusted proxy is the client (SPEC-61).
 */
export function clientAddressBehind(
  proxies: readonly string[],
): (incoming: IncomingMessage) => string {
  if (proxies.length === 0) return peerAddress;
  const isTrusted = trustedProxyCheck(proxies);
  return (incoming) => {
    const peer = peerAddress(incoming);
    if (!isTrusted(peer)) return peer;
    const forwarded = incoming.headers['x-forwarded-for'];
    const chain = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? ''))
      .split(',')
      .map((entry) => withoutPort(entry.trim()))
      .filter((address) => ipaddr.isValid(address));
    return chain.findLast((address) => !isTrusted(address)) ?? chain[0] ?? peer;
  };
}

/** Removes port and brackets, which some proxies forward: `192.0.2.1:4711`, `[2001:db8::1]:4711`, `[2001:db8::1]`. */
function withoutPort(entry: string): string {
  const match = /^(?:\[(?<v6>[^\]]*)\](?::\d{1,5})?|(?<v4>\d[\d.]*):\d{1,5})$/.exec(entry);
  return match?.groups?.['v6'] ?? match?.groups?.['v4'] ?? entry;
}

function peerAddress(incoming: IncomingMessage): string {
  return incoming.socket.remoteAddress ?? '';
}

function toNetwork(text: string): Network {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

export function trustedProxyCheck(proxies: readonly string[]): (address: string) => boolean {
  const trusted = proxies.map(toNetwork);
  return (text) => {
    if (trusted.length === 0 || !ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return trusted.some(
      ([network, length]) => address.kind() === network.kind() && address.match(network, length),
    );
  };
}
