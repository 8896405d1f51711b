import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { isLoopback } from '@catalog/sdk/is-loopback';
import type { Transport, TransportResponse } from '@catalog/sdk/transport';

/** A sync loads batches in parallel. */
const MAX_CONNECTIONS = 8;

/**
 * Uses Node's HTTP client, which starts five times as fast as `fetch` and supports a connect timeout,
 * and the proxy of the environment.
 */
export function openNodeTransport(proxy: Readonly<Record<string, string>>): Transport {
  // A static import costs 60 ms at startup: its namespace touches every export, and one of them loads
  // all of fetch.
  const http = process.getBuiltinModule('node:http');
  const agents = new Map<string, Agent>();

  function agentFor(url: URL): Agent {
    const direct = isLoopback(url.hostname);
    const key = `${url.protocol}${String(direct)}`;
    const known = agents.get(key);
    if (known !== undefined) return known;
    const options = {
      keepAlive: true,
      maxSockets: MAX_CONNECTIONS,
      ...(direct ? {} : { proxyEnv: { ...proxy } }),
    };
    const agent =
      url.protocol === 'https:'
        ? new (process.getBuiltinModule('node:https').Agent)(options)
        : new http.Agent(options);
    agents.set(key, agent);
    return agent;
  }

  return (request) => {
    const url = new URL(request.url);
    const { request: start } =
      url.protocol === 'https:' ? process.getBuiltinModule('node:https') : http;
    return new Promise((resolve, reject) => {
      const outgoing = start(url, {
        method: request.method,
        agent: agentFor(url),
        signal: request.signal,
        ...pinTo(request.addresses, proxy),
        headers: {
          ...request.headers,
          // Compression only costs time on the same machine.
          ...(isLoopback(url.hostname) ? {} : { 'accept-encoding': 'gzip' }),
        },
      });
      limitConnecting(outgoing, request.connect_ms);
      outgoing.once('error', reject);
      outgoing.once('response', (incoming) => resolve(toResponse(incoming)));
      outgoing.end(request.body);
    });
  };
}

/**
 * Connects to the checked IP addresses, whatever the name resolves to now. A proxy resolves names
 * itself.
 */
function pinTo(
  addresses: readonly string[] = [],
  proxy: Readonly<Record<string, string>>,
): Pick<RequestOptions, 'lookup'> {
  if (addresses.length === 0 || Object.keys(proxy).length > 0) return {};
  const { isIPv6 } = process.getBuiltinModule('node:net');
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return {
    lookup: (_host, options, done) => {
      const [{ address, family } = { address: '', family: 4 }] = found;
      if (options.all === true) done(null, found);
      else done(null, address, family);
    },
  };
}

function limitConnecting(outgoing: ClientRequest, connect_ms: number): void {
  outgoing.once('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => {
      outgoing.destroy(Object.assign(new Error('connecting timed out'), { code: 'ETIMEDOUT' }));
    }, connect_ms);
    const settle = (): void => clearTimeout(timer);
    socket.once('connect', settle).once('close', settle);
  });
}

function toResponse(incoming: IncomingMessage): TransportResponse {
  const { statusCode = 0, headers } = incoming;
  return {
    status: statusCode,
    header: (name) => {
      const value = headers[name];
      return typeof value === 'string' ? value : value?.join(', ');
    },
    chunks: () => (headers['content-encoding'] === 'gzip' ? gunzip(incoming) : incoming),
  };
}

/** Throws if the response is truncated, as for an uncompressed one. */
async function* gunzip(incoming: IncomingMessage): AsyncGenerator<Uint8Array> {
  const { createGunzip } = process.getBuiltinModule('node:zlib');
  const plain = createGunzip();
  incoming.once('error', (error) => plain.destroy(error));
  incoming.pipe(plain);
  try {
    yield* plain;
  } finally {
    // Leave no rest of the response on the connection.
    incoming.destroy();
  }
}
