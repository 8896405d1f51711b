import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { isLoopback } from '@catalog/sdk/is-loopback';
import type { Transport, TransportResponse } from '@catalog/sdk/transport';

/** Maximum number of connections; a sync loads batches concurrently. */
const MAX_CONNECTIONS = 8;

/**
 * Opens a transport with the HTTP client of Node, which starts five times as fast as `fetch` and supports a connect
 * timeout and proxies.
 */
export function openNodeTransport(proxy: Readonly<Record<string, string>>): Transport {
  // A static import would take 60 ms at startup, because it loads all of `fetch`.
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
          // On the same machine, compression would only cost time.
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

/** Connects to checked addresses only, whatever the name resolves to now. A proxy resolves names itself. */
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

/** Decompresses a response. Throws if it is truncated. */
async function* gunzip(incoming: IncomingMessage): AsyncGenerator<Uint8Array> {
  const { createGunzip } = process.getBuiltinModule('node:zlib');
  const plain = createGunzip();
  incoming.once('error', (error) => plain.destroy(error));
  incoming.pipe(plain);
  try {
    yield* plain;
  } finally {
    // No rest of the response may remain on the connection.
    incoming.destroy();
  }
}
