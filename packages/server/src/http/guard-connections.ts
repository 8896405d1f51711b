import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { parseAddress } from '@catalog/core/network/parse-address';
import { monotonicMs } from '../adapters/clock.ts';
import type { ConnectionLimits } from './connection-limits.ts';

export interface ConnectionGuard {
  /** Returns true if bytes written to the socket are the start of a response for the client. */
  canRespond(socket: Socket): boolean;
  /** Destroys all connections, including those without a TLS handshake. */
  destroyAll(): void;
}

interface Connection {
  /** Accepted socket; with HTTPS, the one below the TLS socket. */
  socket: Socket;
  /** Socket of the request; undefined before the TLS handshake. */
  stream: Socket | undefined;
  client: string;
  /** True for trusted proxies, which open many connections. Their connections are never closed in favor of others. */
  is_exempt: boolean;
  /** Monotonic time since which the server has waited for a complete request or for the client to read. */
  since: number;
  requests: number;
  response: ServerResponse | undefined;
  /** Number of bytes sent at `since`; undefined if the client has read everything. */
  delivered: number | undefined;
}

/**
 * Closes connections that exceed a timeout. If an address has too many connections without a complete request, its
 * oldest one is closed. If the listener is full, the client with the most connections loses one: its oldest without a
 * request, or otherwise the one of its slowest reader.
 */
export function guardConnections(
  server: Server,
  limits: ConnectionLimits,
  isTrustedProxy: (address: string) => boolean,
): ConnectionGuard {
  const all = new Set<Connection>();
  /** Number of connections of each client. */
  const held = new Map<string, number>();
  const waiting = new Set<Connection>();
  /** Connections without a complete request by client, oldest first. */
  const incomplete = new Map<string, Set<Connection>>();
  const working = new Set<Connection>();
  /** Connections whose client has not read everything; the latest reader comes last. */
  const unread = new Set<Connection>();
  const bySocket = new WeakMap<Socket, Connection>();
  const handshakes = new Map<string, { connection: Connection; timer: NodeJS.Timeout }>();
  const isTls = 'setSecureContext' in server;

  function accept(socket: Socket): void {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return void socket.destroy();
    const is_exempt = isTrustedProxy(remoteAddress);
    const connection: Connection = {
      socket,
      stream: undefined,
      client: clientOf(remoteAddress),
      is_exempt,
      since: 0,
      requests: 0,
      response: undefined,
      delivered: undefined,
    };
    const isFull = all.size >= limits.maxConnections;
    if (isFull && !makeSpace()) return void socket.destroy();
    all.add(connection);
    held.set(connection.client, countOf(connection) + 1);
    setIncomplete(connection);
    socket.once('close', () => {
      forget(connection);
    });
    if (isTls) awaitHandshake(connection);
    else begin(connection, socket);
  }

  function awaitHandshake(connection: Connection): void {
    const { socket } = connection;
    const key = endpointsOf(socket);
    const timer = setTimeout(() => socket.destroy(), limits.handshakeTimeout);
    handshakes.set(key, { connection, timer });
    socket.once('close', () => {
      clearTimeout(timer);
      if (handshakes.get(key)?.connection === connection) handshakes.delete(key);
    });
  }

  function secure(socket: Socket): void {
    const key = endpointsOf(socket);
    const handshake = handshakes.get(key);
    if (handshake === undefined) return void socket.destroy();
    clearTimeout(handshake.timer);
    handshakes.delete(key);
    begin(handshake.connection, socket);
  }

  function begin(connection: Connection, socket: Socket): void {
    bySocket.set(socket, connection);
    connection.stream = socket;
    socket.once('finish', () => destroyLater(socket, limits.closeTimeout));
  }

  function observe(request: IncomingMessage, response: ServerResponse): void {
    const connection = bySocket.get(request.socket);
    if (connection === undefined) return;
    connection.requests += 1;
    connection.response = response;
    working.add(connection);
    if (hasBody(request)) request.once('end', () => unlist(connection));
    else unlist(connection);
    response.once('close', () => {
      connection.requests -= 1;
      if (connection.requests > 0 || connection.socket.destroyed) return;
      working.delete(connection);
      unread.delete(connection);
      connection.delivered = undefined;
      if (request.complete) setIdle(connection);
      else setIncomplete(connection);
    });
  }

  function setIncomplete(connection: Connection): void {
    setIdle(connection);
    if (connection.is_exempt) return;
    const { client } = connection;
    const own = incomplete.get(client) ?? new Set();
    incomplete.set(client, own.add(connection));
    connection.since = monotonicMs();
    if (own.size > limits.maxIncompletePerAddress) closeOneOf(own, connection);
  }

  function setIdle(connection: Connection): void {
    unlist(connection);
    if (!connection.is_exempt) waiting.add(connection);
  }

  function unlist(connection: Connection): void {
    const { client } = connection;
    waiting.delete(connection);
    const own = incomplete.get(client);
    if (own?.delete(connection) === true && own.size === 0) incomplete.delete(client);
  }

  /**
   * Closes one connection of a client: the oldest, or the newest if all are too young, so that reconnecting gains
   * nothing.
   */
  function closeOneOf(own: ReadonlySet<Connection>, newest: Connection): void {
    const [oldest = newest] = own;
    close(newest.since - oldest.since < limits.minAgeToReplace ? newest : oldest);
  }

  /**
   * Closes a connection of the busiest client. If it closed the oldest of all, a client with many slow
   * readers would replace the new connections of all other clients.
   */
  function makeSpace(): boolean {
    let victim: Connection | undefined;
    for (const candidates of [waiting, unread]) {
      for (const connection of candidates) {
        if (victim === undefined || countOf(connection) > countOf(victim)) victim = connection;
      }
    }
    if (victim === undefined) return false;
    close(victim);
    return true;
  }

  function countOf({ client }: Connection): number {
    return held.get(client) ?? 0;
  }

  function close(connection: Connection): void {
    forget(connection);
    connection.socket.destroy();
  }

  function forget(connection: Connection): void {
    unlist(connection);
    if (all.delete(connection)) {
      const left = countOf(connection) - 1;
      if (left === 0) held.delete(connection.client);
      else held.set(connection.client, left);
    }
    working.delete(connection);
    unread.delete(connection);
  }

  function checkReaders(): void {
    const now = monotonicMs();
    for (const connection of working) {
      const { stream, delivered } = connection;
      // Event streams have no timeout, because their readers may lag.
      if (stream === undefined || stream.timeout === 0 || stream.writableLength === 0) {
        connection.delivered = undefined;
        unread.delete(connection);
        continue;
      }
      const now_delivered = stream.bytesWritten - stream.writableLength;
      if (delivered === undefined || now_delivered - delivered >= limits.minResponseBytes) {
        connection.delivered = now_delivered;
        connection.since = now;
        unread.delete(connection);
        if (!connection.is_exempt) unread.add(connection);
      } else if (now - connection.since >= limits.responseTimeout) close(connection);
    }
  }

  server.on('connection', accept);
  server.on('secureConnection', secure);
  server.prependListener('request', observe);
  const checking = setInterval(checkReaders, limits.connectionsCheckingInterval).unref();
  server.once('close', () => clearInterval(checking));
  // Node calls this when a socket makes no progress for the timeout.
  server.setTimeout(limits.responseTimeout, (socket: Socket) => {
    const connection = bySocket.get(socket);
    if (connection === undefined || connection.requests === 0) socket.destroy();
  });
  return {
    canRespond(socket) {
      const connection = bySocket.get(socket);
      if (connection === undefined || !socket.writable) return false;
      return connection.requests === 0 || connection.response?.headersSent !== true;
    },
    destroyAll() {
      for (const { socket } of all) socket.destroy();
    },
  };
}

export function destroyLater(ended: Socket | ServerResponse, timeout_ms: number): void {
  const timer = setTimeout(() => ended.destroy(), timeout_ms);
  ended.once('close', () => clearTimeout(timer));
}

/**
 * Returns the part of an address that identifies a client: the /64 network of an IPv6 address, the whole IPv4 address.
 */
export function clientOf(address: string): string {
  const parsed = parseAddress(address.replace(/%.*$/, ''));
  if (parsed === undefined) return address;
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, 8).join('.');
}

/** Returns a key that identifies a connection both above and below TLS. */
function endpointsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;
}
