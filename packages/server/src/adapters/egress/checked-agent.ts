import { once } from 'node:events';
import { Agent, type AgentOptions } from 'node:https';
import { connect as connectTcp, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  connect as connectTls,
  createSecureContext,
  type ConnectionOptions,
  type SecureContext,
} from 'node:tls';
import { isListed } from '@catalog/core/network/host-list';
import { certificateBundle } from './certificate-bundle.ts';
import { checkAddress, reachProblem, type EgressRules, type Resolve } from './check-address.ts';
import { openTunnel } from './open-tunnel.ts';
import { pinTo } from './pin-addresses.ts';

export interface CheckedAgentOptions {
  rules: EgressRules;
  resolve: Resolve;
  monotonicMs: () => number;
  /** Timeout for connecting, including name resolution and the proxy tunnel. */
  connect_ms?: number;
}

/** Thrown if a connection is not allowed. Its message is for the log only: it may contain internal addresses. */
export class ConnectionRefused extends Error {}

const CONNECT_MS = 10_000;
const IDLE_MS = 15_000;
/** Maximum age of a reused connection, so that a changed DNS record takes effect. */
const MAX_AGE_MS = 60_000;
const MAX_IDLE_PER_HOST = 8;
/** Maximum number of open connections at which connections are kept alive. */
const MAX_KEPT = 256;

const OPTIONS: AgentOptions = {
  keepAlive: true,
  timeout: IDLE_MS,
  maxFreeSockets: MAX_IDLE_PER_HOST,
  scheduling: 'lifo',
};

/**
 * Keeps HTTPS connections to hosts that users name. Each new connection passes the egress rules and
 * leads to a verified address. The proxy receives a host name only if the operator lists the host.
 */
export class CheckedAgent extends Agent {
  readonly #options: CheckedAgentOptions;
  /** Created with the first connection, because reading the certificate authorities is slow. */
  #trust: SecureContext | undefined;
  readonly #closing = new AbortController();
  readonly #opened = new Map<Duplex, number>();

  constructor(options: CheckedAgentOptions) {
    super(OPTIONS);
    this.#options = options;
  }

  /** Identifies a connection by host and port: all other options are the same for every request. */
  override getName({ host, port }: { host?: string; port?: number } = {}): string {
    return `${host} ${port}`;
  }

  override createConnection(
    options: ConnectionOptions,
    connected: (error: Error | null, socket?: Duplex) => void,
  ): undefined {
    void this.#open(options).then((socket) => connected(null, socket), connected);
  }

  async #open(options: ConnectionOptions): Promise<Duplex> {
    const { host = '', port = 443 } = options;
    const { monotonicMs, connect_ms = CONNECT_MS } = this.#options;
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), connect_ms);
    try {
      const signal = AbortSignal.any([this.#closing.signal, limit.signal]);
      const socket = await this.#connect(host, port, signal);
      const secured = connectTls({ ...options, socket, secureContext: this.#trusted() });
      this.#opened.set(secured, monotonicMs());
      secured.once('close', () => this.#opened.delete(secured));
      return secured;
    } finally {
      clearTimeout(timer);
    }
  }

  async #connect(host: string, port: number, signal: AbortSignal): Promise<Socket> {
    const { rules, resolve } = this.#options;
    const isAllowedHost = isListed(rules.allowed_hosts, host, port);
    const destination = { scheme: 'https', host, port, user_named: !isAllowedHost };
    const checked = await checkAddress(destination, rules, resolve, signal);
    if (checked.kind === 'refused') throw new ConnectionRefused(checked.reason);
    const { addresses } = checked;
    const trust = this.#trusted();
    if (checked.kind === 'proxied') {
      const target = { host, port, addresses, addresses_only: !isAllowedHost };
      return openTunnel(checked.proxy, target, trust, signal);
    }
    const socket = connectTcp({ host, port, lookup: pinTo(addresses), noDelay: true, signal });
    await once(socket, 'connect');
    const { remoteAddress = '' } = socket;
    const problem = isAllowedHost ? undefined : reachProblem(remoteAddress, rules);
    if (problem === undefined) return socket;
    socket.destroy();
    throw new ConnectionRefused(`${host} led to ${remoteAddress}, which ${problem}`);
  }

  #trusted(): SecureContext {
    const { ca_file } = this.#options.rules;
    this.#trust ??= createSecureContext(
      ca_file === undefined ? {} : { ca: certificateBundle(ca_file) },
    );
    return this.#trust;
  }

  override keepSocketAlive(socket: Duplex): boolean {
    const age = this.#options.monotonicMs() - (this.#opened.get(socket) ?? 0);
    if (age > MAX_AGE_MS || this.#opened.size > MAX_KEPT) return false;
    // `super.keepSocketAlive` returns false if the receiver does not keep the connection; its types omit this result.
    const isKept: unknown = super.keepSocketAlive(socket);
    return isKept === true;
  }

  override destroy(): void {
    this.#closing.abort();
    super.destroy();
  }
}
