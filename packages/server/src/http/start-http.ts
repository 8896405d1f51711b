import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { DEFAULT_LIMITS, type ConnectionLimits } from './connection-limits.ts';
import { destroyLater, guardConnections, type ConnectionGuard } from './guard-connections.ts';

export interface HttpServerOptions {
  /** Host of the listener; empty for all interfaces. */
  host: string;
  /** Port of the listener; 0 selects a free one. */
  port: number;
  tls?: TlsCertificate | undefined;
  listener: RequestListener;
  limits?: Partial<ConnectionLimits>;
  isTrustedProxy?: (address: string) => boolean;
}

export interface TlsCertificate {
  cert: string | Buffer;
  key: string | Buffer;
}

export interface RunningHttp {
  host: string;
  port: number;
  /** Replaces the certificate. Has no effect without HTTPS. */
  replaceCertificate(tls: TlsCertificate): void;
  /** Stops the server. Requests still running after `drain_ms` are interrupted; event streams must be ended first. */
  close(options: { drain_ms: number }): Promise<void>;
}

/** Idle time after which a kept-alive connection is closed during a shutdown. */
const KEPT_MS = 500;

export async function startHttp(options: HttpServerOptions): Promise<RunningHttp> {
  const { host, port } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const server = createServer(options, limits);
  const guard = guardConnections(server, limits, options.isTrustedProxy ?? (() => false));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    rejectMalformedRequest(error, socket, guard, limits);
  });
  if (host === '') server.listen(port);
  else server.listen(port, host);
  await once(server, 'listening');
  const address = addressOf(server);
  return {
    host: address.address,
    port: address.port,
    replaceCertificate(tls) {
      if ('setSecureContext' in server) server.setSecureContext(tls);
    },
    close: ({ drain_ms }) => drain(server, guard, drain_ms),
  };
}

/** Loads the HTTP server without `import`, which would also load the unused HTTP client of Node. */
function createServer(
  { tls, listener }: HttpServerOptions,
  limits: ConnectionLimits,
): Server | HttpsServer {
  if (tls === undefined)
    return process.getBuiltinModule('node:http').createServer(limits, listener);
  const https = process.getBuiltinModule('node:https');
  return https.createServer({ ...limits, ...tls }, listener);
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no network address');
  return address;
}

/**
 * Closes the server without failing requests of load balancers. A load balancer can send a request on a kept-alive
 * connection at any time, and does not retry it if the connection closes. So such a request gets a response that
 * announces the end of the connection, and idle connections close after `KEPT_MS`.
 */
async function drain(server: Server, guard: ConnectionGuard, drain_ms: number): Promise<void> {
  const closed = once(server, 'close');
  server.prependListener('request', (_, response) => {
    response.shouldKeepAlive = false;
  });
  // The kernel resets connections that wait to be accepted. Right after the event loop has polled, none are waiting.
  await nextTurn();
  stopListening(server);
  const kept = setTimeout(closeIdle, Math.min(KEPT_MS, drain_ms));
  let sweep: NodeJS.Timeout | undefined;
  // A connection becomes idle after its request and would then be kept alive.
  function closeIdle(): void {
    server.closeIdleConnections();
    sweep = setInterval(() => server.closeIdleConnections(), 25);
  }
  const end = setTimeout(() => guard.destroyAll(), drain_ms);
  await closed;
  clearTimeout(kept);
  clearInterval(sweep);
  clearTimeout(end);
}

/** Stops accepting connections. Idle connections stay open, unlike with `close` of an HTTP server. */
function stopListening(server: Server): void {
  process.getBuiltinModule('node:net').Server.prototype.close.call(server);
}

function rejectMalformedRequest(
  error: NodeJS.ErrnoException,
  socket: Socket,
  guard: ConnectionGuard,
  limits: ConnectionLimits,
): void {
  if (error.code === 'ECONNRESET' || !guard.canRespond(socket)) {
    socket.destroy();
    return;
  }
  const message = describeMalformed(error.code, limits.maxHeaderSize);
  const refusal = new CatalogError('registry.invalid_argument', message);
  const body = JSON.stringify(refusal.toEnvelope());
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
  destroyLater(socket, limits.closeTimeout);
}

function describeMalformed(code: string | undefined, max_header_bytes: number): string {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return `The headers are too large; the limit is ${max_header_bytes} bytes.`;
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request timed out before it was complete.';
  return 'The request is not valid HTTP.';
}
