import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, createServer as createTcpServer, isIP, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { Certificate } from '@catalog/testkit/certificate-authority';
import { PORTS, type Proxy, type Step } from './history.ts';

export interface Connection {
  address: string;
  port: number;
}

export interface Listeners {
  /** Returns the connections since the last call, except those of the proxy. */
  takeConnections(): Connection[];
  /** Responds to requests as described by a step, until the next call. */
  play(response: Step['response']): void;
  proxy: Proxy;
  close(): void;
}

export const PROXY_PORT = 3128;

export async function startListeners(certificate: Certificate): Promise<Listeners> {
  let connections: Connection[] = [];
  let response: Step['response'] = { status: 200, location: '', keep: false };
  const secureContext = createSecureContext(certificate);
  const web = createServer((request, answer) => {
    request.resume();
    const { status, location, keep } = response;
    answer.writeHead(status, {
      // Headers are bytes: a Unicode URL is sent as UTF-8.
      ...(location === '' ? {} : { location: Buffer.from(location).toString('latin1') }),
      ...(keep ? {} : { connection: 'close' }),
    });
    answer.end('received');
  });
  const servers = await Promise.all(
    PORTS.map(async (port) => {
      const server = createTcpServer((socket) => {
        connections.push({ address: socket.localAddress ?? '', port });
        const secured = new TLSSocket(socket, { isServer: true, secureContext });
        for (const one of [socket, secured]) one.on('error', () => one.destroy());
        web.emit('connection', secured);
      });
      server.listen(port, '::');
      await once(server, 'listening');
      return server;
    }),
  );
  const listeners: Listeners = {
    takeConnections: () => connections.splice(0),
    play: (next) => (response = next),
    proxy: 'none',
    close: () => {
      for (const server of [...servers, proxy]) server.close();
    },
  };
  const proxy = await startProxy(() => listeners.proxy);
  return listeners;
}

async function startProxy(mode: () => Proxy): Promise<Server> {
  const proxy = createServer();
  proxy.on('connect', ({ url = '' }, socket: Socket) => {
    const { host, port } = splitAuthority(url);
    socket.on('error', () => socket.destroy());
    if (isIP(host) !== 0 && mode() !== 'open') {
      socket.end(`HTTP/1.1 ${mode() === 'names_only' ? 403 : 502} Rejected\r\n\r\n`);
      return;
    }
    const onward = connect(port, host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.end('HTTP/1.1 502 Failed\r\n\r\n'));
    socket.on('close', () => onward.destroy());
    onward.on('close', () => socket.destroy());
  });
  proxy.listen(PROXY_PORT, '127.0.0.1');
  await once(proxy, 'listening');
  return proxy;
}

function splitAuthority(authority: string): { host: string; port: number } {
  const colon = authority.lastIndexOf(':');
  const host = authority.slice(0, colon).replace(/^\[(.*)\]$/, '$1');
  return { host, port: Number(authority.slice(colon + 1)) };
}
