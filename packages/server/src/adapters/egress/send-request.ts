import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import { Agent as HttpAgent, request as requestHttp, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps, type RequestOptions } from 'node:https';
import { connect, createSecureContext, type ConnectionOptions, type SecureContext } from 'node:tls';
import { certificateBundle } from './certificate-bundle.ts';
import { checkAddress, type EgressRules, type Resolve } from './check-address.ts';
import { openTunnel } from './open-tunnel.ts';
import { pinTo } from './pin-addresses.ts';

export interface EgressRequest {
  url: string;
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  headers?: OutgoingHttpHeaders;
  body?: string | Uint8Array;
  /** Maximum size of a response; a larger one is an error. */
  max_bytes: number;
  /** Timeout of the whole request, from name resolution to the last byte. */
  timeout_ms: number;
}

export interface EgressAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Thrown if a request fails. Its message is for the log only: it may contain internal addresses. */
export class EgressError extends Error {}

export type SendRequest = (request: EgressRequest, signal?: AbortSignal) => Promise<EgressAnswer>;

/**
 * Checks every request against the egress rules. Redirects are never followed, so that only the
 * operator's configuration determines the target. With `kept` connections, a request may be sent twice:
 * use them only for requests that change nothing.
 */
export function createSendRequest(
  rules: EgressRules,
  resolve: Resolve,
  { connections = 'single' }: { connections?: 'single' | 'kept' } = {},
): SendRequest {
  /** Created once, because reading all certificate authorities is slow. */
  let trust: SecureContext | undefined;
  const agentFor = connections === 'kept' ? keepAgents() : agentForOne;
  return async (request, signal) => {
    trust ??= trustOf(rules);
    const limit = AbortSignal.timeout(request.timeout_ms);
    const stop = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    try {
      return await exchange(request, { rules, resolve, trust, agentFor }, stop);
    } catch (cause) {
      if (limit.aborted)
        throw new EgressError(`no response within ${request.timeout_ms} ms`, { cause });
      if (cause instanceof EgressError) throw cause;
      throw new EgressError(cause instanceof Error ? cause.message : String(cause), { cause });
    }
  };
}

interface RequestContext {
  rules: EgressRules;
  resolve: Resolve;
  trust: SecureContext | undefined;
  agentFor: AgentFor;
}

type AgentFor = (scheme: string, proxy: string | undefined) => HttpAgent;

function trustOf({ ca_file }: EgressRules): SecureContext | undefined {
  return ca_file === undefined
    ? undefined
    : createSecureContext({ ca: certificateBundle(ca_file) });
}

async function exchange(
  request: EgressRequest,
  door: RequestContext,
  signal: AbortSignal,
): Promise<EgressAnswer> {
  const { url: address, method = 'GET', headers = {}, body, max_bytes } = request;
  const { rules, resolve, trust, agentFor } = door;
  const url = new URL(address);
  const scheme = url.protocol.slice(0, -1);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = Number(url.port) || (scheme === 'https' ? 443 : 80);
  const checked = await checkAddress({ scheme, host, port }, rules, resolve, signal);
  if (checked.kind === 'refused') throw new EgressError(checked.reason);
  const options: RequestOptions & Tunneled = {
    method,
    headers: { 'accept-encoding': 'identity', ...headers },
    signal,
    agent: agentFor(scheme, checked.kind === 'proxied' ? checked.proxy : undefined),
    ...(checked.kind === 'pinned' ? { lookup: pinTo(checked.addresses) } : {}),
    ...(checked.kind === 'proxied' ? { tunnel: { addresses: checked.addresses, signal } } : {}),
    ...(trust === undefined ? {} : { secureContext: trust }),
  };
  return new Promise((answered, failed) => {
    const send = scheme === 'https' ? requestHttps : requestHttp;
    let hasResponse = false;
    const sending = send(url, options, (incoming) => {
      hasResponse = true;
      const chunks: Buffer[] = [];
      let length = 0;
      incoming.on('data', (chunk: Buffer) => {
        length += chunk.length;
        chunks.push(chunk);
        if (length <= max_bytes) return;
        failed(new EgressError(`the response is larger than ${max_bytes} bytes`));
        sending.destroy();
      });
      incoming.once('error', failed);
      incoming.once('end', () => {
        const { statusCode: status = 0, headers: received } = incoming;
        answered({ status, headers: received, body: Buffer.concat(chunks) });
      });
    });
    sending.once('error', (cause) => {
      // A kept-alive connection may close at the moment of reuse: retry with a new one.
      if (sending.reusedSocket && !hasResponse && !signal.aborted) {
        answered(exchange(request, door, signal));
      } else failed(cause);
    });
    sending.end(body);
  });
}

/** Returns the agent of a single request. Connections are not kept, because requests are minutes apart. */
function agentForOne(scheme: string, proxy: string | undefined): HttpAgent {
  return createAgent(scheme, proxy, {});
}

/**
 * Returns agents that keep connections open. The address of a connection was checked when the connection was opened.
 */
function keepAgents(): AgentFor {
  const agents = new Map<string, HttpAgent>();
  return (scheme, proxy) => {
    const name = `${scheme} ${proxy ?? ''}`;
    const agent = agents.get(name) ?? createAgent(scheme, proxy, KEPT);
    agents.set(name, agent);
    return agent;
  };
}

/** An idle connection does not keep the process running. */
const KEPT: AgentOptions = { keepAlive: true, maxFreeSockets: 8, scheduling: 'lifo' };

function createAgent(scheme: string, proxy: string | undefined, options: AgentOptions): HttpAgent {
  if (scheme !== 'https') return new HttpAgent({ ...options, proxyEnv: { http_proxy: proxy } });
  return proxy === undefined ? new HttpsAgent(options) : new TunnelAgent(options, proxy);
}

interface Tunneled {
  tunnel?: { addresses: readonly string[]; signal: AbortSignal };
}

class TunnelAgent extends HttpsAgent {
  readonly #proxy: string;

  constructor(options: AgentOptions, proxy: string) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(
    options: ConnectionOptions & Tunneled,
    connected: (error: Error | null, socket?: Duplex) => void,
  ): undefined {
    const { host = '', port = 443, secureContext, tunnel } = options;
    const target = { host, port, addresses: tunnel?.addresses ?? [] };
    const signal = tunnel?.signal ?? new AbortController().signal;
    const open = async (): Promise<void> => {
      const socket = await openTunnel(this.#proxy, target, secureContext, signal);
      connected(null, connect({ ...options, socket }));
    };
    open().catch(connected);
  }
}
