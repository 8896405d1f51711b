import ipaddr from 'ipaddr.js';

const DOTTED_END = /^(?<groups>.*:)(?<a>\d{1,3})\.(?<b>\d{1,3})\.(?<c>\d{1,3})\.(?<d>\d{1,3})$/;

/** Parses an IP address. An IPv4-mapped address (`::ffff:10.0.0.1`) becomes its IPv4 address. */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const plain = writeDottedEnd(text);
  return ipaddr.isValid(plain) ? ipaddr.process(plain) : undefined;
}

/** Rewrites `::10.0.0.1`, which ipaddr.js would parse as an IPv4-mapped address. */
function writeDottedEnd(text: string): string {
  const { groups, ...parts } = DOTTED_END.exec(text)?.groups ?? {};
  if (groups === undefined) return text;
  const [a = 256, b = 256, c = 256, d = 256] = Object.values(parts).map(Number);
  if (Math.max(a, b, c, d) > 255) return text;
  return `${groups}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}
