import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { newSecret } from '../id.ts';
import { openTunnel, TunnelRefused, type TunnelTarget } from './open-tunnel.ts';

export interface Relay {
  url: string;
  close(): Promise<void>;
}

/**
 * Starts a proxy on loopback that connects to one host through the operator's proxy. It sends the verified address,
 * also for programs that send a host name to their proxy, such as git.
 */
export async function startRelay(
  proxy: string,
  target: TunnelTarget,
  trust: SecureContext | undefined,
  connect_time_ms: number,
): Promise<Relay> {
  const password = newSecret();
  const expected = `Basic ${Buffer.from(`relay:${password}`).toString('base64')}`;
  const stop = new AbortController();
  const sockets = new Set<Duplex>();

  async function lead(socket: Duplex): Promise<void> {
    const within = AbortSignal.any([stop.signal, AbortSignal.timeout(connect_time_ms)]);
    const onward = await openTunnel(proxy, target, trust, within);
    keep(sockets, onward);
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    join(socket, onward);
  }

  const server = createServer((_, response) => response.writeHead(405).end());
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    keep(sockets, socket);
    const isMeant = request.url === `${bracketed(target.host)}:${target.port}`;
    if (request.headers['proxy-authorization'] !== expected || !isMeant) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    lead(socket).catch((cause: unknown) => {
      const status = cause instanceof TunnelRefused ? cause.status : 502;
      socket.end(`HTTP/1.1 ${status} Refused\r\n\r\n`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the relay has no port');
  return {
    url: `http://relay:${password}@127.0.0.1:${address.port}`,
    close: async () => {
      stop.abort();
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function keep(sockets: Set<Duplex>, socket: Duplex): void {
  sockets.add(socket);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => sockets.delete(socket));
}

function join(one: Duplex, other: Socket): void {
  one.pipe(other).pipe(one);
  one.on('close', () => other.destroy());
  other.on('close', () => one.destroy());
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
