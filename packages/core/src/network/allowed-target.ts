import { parseAddressNetwork, type AddressNetwork } from './address-network.ts';

export type AllowedTarget =
  /** `name`, `name:port`, `*.name` or `*.name:port`, in the syntax of `isListed`. */
  { kind: 'host'; host: string } | { kind: 'network'; network: AddressNetwork };

const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const HOST = new RegExp(`^(?:\\*\\.)?(?<name>${LABEL}(?:\\.${LABEL})*)(?::(?<port>\\d{1,5}))?$`);
/** Last labels that URLs interpret as a part of an IPv4 address. */
const NUMBER = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/;

/** Parses an allowed target: a host name, an address or a CIDR network; undefined for anything else. */
export function parseAllowedTarget(text: string): AllowedTarget | undefined {
  const network = parseAddressNetwork(text);
  if (network !== undefined) return { kind: 'network', network };
  const host = text.toLowerCase();
  const { name = '', port } = HOST.exec(host)?.groups ?? {};
  if (name === '' || name.length > 253 || NUMBER.test(name)) return undefined;
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return undefined;
  return { kind: 'host', host };
}
