import ipaddr from 'ipaddr.js';

export interface BindAddress {
  /** Host without brackets; an empty string means every interface. */
  host: string;
  /** Port; 0 lets the system choose one. */
  port: number;
}

/** Parses `host:port`, `[v6]:port` or `:port`. */
export function readBindAddress(text: string): BindAddress | undefined {
  const match = /^(?:\[(?<v6>[0-9a-fA-F:.]+)\]|(?<name>[A-Za-z0-9.-]*)):(?<port>\d{1,5})$/.exec(
    text,
  );
  const { v6, name = '', port = '' } = match?.groups ?? {};
  if (match === null || Number(port) > 65_535) return undefined;
  if (v6 !== undefined && !ipaddr.IPv6.isValid(v6)) return undefined;
  return { host: v6 ?? name, port: Number(port) };
}

export function loadBindAddress(text: string): BindAddress {
  const address = readBindAddress(text);
  if (address === undefined) throw new TypeError(`${text} is not a valid bind address`);
  return address;
}

/**
 * Returns true if only this machine can reach the host. A name other than `localhost` may resolve
 * to any address.
 */
export function isLoopbackHost(host: string): boolean {
  if (host === 'localhost') return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}

export function isEveryInterface(host: string): boolean {
  return host === '' || host === '0.0.0.0' || host === '::';
}

export function toOrigin({ host, port }: BindAddress, tls: boolean): string {
  const reachable = isEveryInterface(host) ? '127.0.0.1' : host;
  const name = reachable.includes(':') ? `[${reachable}]` : reachable;
  const usual = port === (tls ? 443 : 80);
  return `${tls ? 'https' : 'http'}://${name}${usual ? '' : `:${port}`}`;
}
