import { parseAddressNetwork, type AddressNetwork } from './address-network.ts';

/** A host or network that the operator allows in addition to public addresses. */
export type AllowedTarget =
  /** `name`, `name:port`, `*.name` or `*.name:port`, as `isListed` reads them. */
  { kind: 'host'; host: string } | { kind: 'network'; network: AddressNetwork };

const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const HOST = new RegExp(`^(?:\\*\\.)?(?<name>${LABEL}(?:\\.${LABEL})*)(?::(?<port>\\d{1,5}))?$`);
/** URLs with such a last label contain an IPv4 address, in one of its many spellings. */
const NUMBER = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/;

/** Parses a host name, an address or a CIDR network; undefined for anything else. */
export function parseAllowedTarget(text: string): AllowedTarget | undefined {
  const network = parseAddressNetwork(text);
  if (network !== undefined) return { kind: 'network', network };
  const host = text.toLowerCase();
  const { name = '', port } = HOST.exec(host)?.groups ?? {};
  if (name === '' || name.length > 253 || NUMBER.test(name)) return undefined;
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return undefined;
  return { kind: 'host', host };
}
