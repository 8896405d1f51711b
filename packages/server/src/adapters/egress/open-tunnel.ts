import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIPv6, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';

/** Verified addresses of the target; empty if the name does not resolve on this machine. */
export interface TunnelTarget {
  host: string;
  port: number;
  addresses: readonly string[];
  /** If true, the proxy receives an address instead of the host name whenever there is one. */
  addresses_only?: boolean;
}

/** Status with which some proxies reject a request for an IP address. */
const FORBIDDEN = 403;

/**
 * Opens a connection through a proxy (CONNECT). The proxy receives a verified address, so that it
 * cannot resolve the name to a different one. It receives the host name only if it forbids addresses,
 * not if an address is unreachable.
 */
export async function openTunnel(
  proxy: string,
  { host, port, addresses, addresses_only = false }: TunnelTarget,
  trust: SecureContext | undefined,
  signal: AbortSignal,
): Promise<Socket> {
  let isForbidden = addresses.length === 0;
  let problem = new Error('no connection was attempted');
  for (const name of addresses) {
    const answer = await connect(proxy, name, port, trust, signal);
    if (answer instanceof Error) problem = answer;
    else if (answer.status === 200) return answer.socket;
    else {
      answer.socket.destroy();
      isForbidden ||= answer.status === FORBIDDEN && !addresses_only;
      problem = new TunnelRefused(answer.status);
    }
  }
  if (!isForbidden || addresses.includes(host)) throw problem;
  const answer = await connect(proxy, host, port, trust, signal);
  if (answer instanceof Error) throw answer;
  if (answer.status === 200) return answer.socket;
  answer.socket.destroy();
  throw new TunnelRefused(answer.status);
}

export class TunnelRefused extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the proxy rejected the connection with status ${status}`);
    this.status = status;
  }
}

interface ProxyAnswer {
  status: number;
  socket: Socket;
}

function connect(
  proxy: string,
  host: string,
  port: number,
  trust: SecureContext | undefined,
  signal: AbortSignal,
): Promise<ProxyAnswer | Error> {
  const url = new URL(proxy);
  const authority = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    const connectRequest = send({
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port || (url.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...authorization(url) },
      agent: false,
      signal,
      ...(trust === undefined ? {} : { secureContext: trust }),
    });
    connectRequest.once(
      'connect',
      ({ statusCode: status = 0 }: IncomingMessage, socket: Socket, head) => {
        if (head.length > 0) socket.unshift(head);
        resolve({ status, socket });
      },
    );
    connectRequest.once('error', resolve);
    connectRequest.end();
  });
}

function authorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
