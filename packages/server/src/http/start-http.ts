import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CatalogError } from '@catalog/contract/errors/catalog-error';

export interface HttpServerOptions {
  /** An empty one is every interface. */
  host: string;
  /** 0 lets the system choose. */
  port: number;
  /** Serves https when given. */
  tls?: TlsCertificate | undefined;
  listener: RequestListener;
  /** Others than those of a registry, for tests. */
  limits?: Partial<ConnectionLimits>;
}

/** A certificate chain and its private key, in PEM. */
export interface TlsCertificate {
  cert: string | Buffer;
  key: string | Buffer;
}

/** What a connection may take, in milliseconds and bytes. */
export interface ConnectionLimits {
  headersTimeout: number;
  requestTimeout: number;
  keepAliveTimeout: number;
  /** How often the first two are looked at. */
  connectionsCheckingInterval: number;
  maxHeaderSize: number;
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

/**
 * Slow clients hold no connection for nothing. An idle one outlives the minute that balancers keep
 * theirs, so that a request never meets a connection just being closed.
 */
const LIMITS: ConnectionLimits = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16_384,
};

/** How long a kept connection stays open during a shutdown. */
const KEPT_MS = 500;

/** Listens, and answers once it does. */
export async function startHttp(options: HttpServerOptions): Promise<RunningHttp> {
  const { host, port } = options;
  const server = createServer(options);
  server.on('clientError', refuseNonsense);
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
    close: ({ drain_ms }) => drain(server, drain_ms),
  };
}

/**
 * Not by `import`: importing `node:http` reads everything it exports, and with that loads the client
 * behind `fetch`, which a registry's start has no use for.
 */
function createServer({ tls, listener, limits }: HttpServerOptions): Server | HttpsServer {
  const all = { ...LIMITS, ...limits };
  if (tls === undefined) return process.getBuiltinModule('node:http').createServer(all, listener);
  const https = process.getBuiltinModule('node:https');
  return https.createServer({ ...all, ...tls }, listener);
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
async function drain(server: Server, drain_ms: number): Promise<void> {
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
  const end = setTimeout(() => server.closeAllConnections(), drain_ms);
  await closed;
  clearTimeout(kept);
  clearInterval(sweep);
  clearTimeout(end);
}

/** Unlike `close` of an HTTP server, this leaves idle connections open. */
function stopListening(server: Server): void {
  process.getBuiltinModule('node:net').Server.prototype.close.call(server);
}

/** Bytes that are no request, or took too long to become one. */
function refuseNonsense(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const refusal = new CatalogError('registry.invalid_argument', describeNonsense(error.code));
  const body = JSON.stringify(refusal.toEnvelope());
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

function describeNonsense(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return `The headers are too large; the limit is ${LIMITS.maxHeaderSize} bytes.`;
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request timed out before it was complete.';
  return 'The request is not valid HTTP.';
}
