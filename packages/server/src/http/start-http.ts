import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { DEFAULT_LIMITS, type ConnectionLimits } from './connection-limits.ts';
import { destroyLater, guardConnections, type ConnectionGuard } from './guard-connections.ts';

export interface HttpServerOptions {
  /** An empty one is every interface. */
  host: string;
  /** 0 lets the system choose. */
  port: number;
  /** Serves https when given. */
  tls?: TlsCertificate | undefined;
  listener: RequestListener;
  /** Differences from the default limits. */
  limits?: Partial<ConnectionLimits>;
  /** Returns true for the address of a proxy, whose connections are those of many clients. */
  isTrustedProxy?: (address: string) => boolean;
}

/** A certificate chain and its private key, in PEM. */
export interface TlsCertificate {
  cert: string | Buffer;
  key: string | Buffer;
}

export interface RunningHttp {
  host: string;
  port: number;
  /** Serves new connections with another certificate. A server without https ignores it. */
  replaceCertificate(tls: TlsCertificate): void;
  /**
   * Takes no more connections, lets running requests end, and cuts what is left after `drain_ms`.
   * Streams have to be ended by whoever feeds them.
   */
  close(options: { drain_ms: number }): Promise<void>;
}

/** How long a kept connection stays open during a shutdown. */
const KEPT_MS = 500;

/** Listens, and answers once it does. */
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

/**
 * Not by `import`: importing `node:http` reads everything it exports, and with that loads the client
 * behind `fetch`, which a registry's start has no use for.
 */
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
 * A balancer may send a request on a kept connection at any time, and does not send it elsewhere if
 * the connection is closed on it. So kept connections get an answer that ends them, and only those
 * without a request for `KEPT_MS` are closed.
 */
async function drain(server: Server, guard: ConnectionGuard, drain_ms: number): Promise<void> {
  const closed = once(server, 'close');
  server.prependListener('request', (_, response) => {
    response.shouldKeepAlive = false;
  });
  // The kernel resets connections that wait to be accepted. Right after the event loop has polled, none do.
  await nextTurn();
  stopListening(server);
  const kept = setTimeout(closeIdle, Math.min(KEPT_MS, drain_ms));
  let sweep: NodeJS.Timeout | undefined;
  // A connection whose request began before is idle when it has ended, and would be kept.
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

/** Unlike `close` of an HTTP server, this leaves idle connections open. */
function stopListening(server: Server): void {
  process.getBuiltinModule('node:net').Server.prototype.close.call(server);
}

/** Ends a connection whose bytes are not a request, or did not become one in time. */
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
