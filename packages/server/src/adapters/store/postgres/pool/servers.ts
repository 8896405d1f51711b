import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Availability, StoreNotice, StoreServer } from '@catalog/core/ports/availability';
import { monotonicMs, now } from '../../../clock.ts';
import type { PrimaryPosition } from './standby-freshness.ts';
import { decideStanding, FIRST_STANDING, type Standing } from '../directory/decide-standing.ts';
import { listChanges } from '../list-changes.ts';
import { ObservedServer, type Server } from './observed-server.ts';
import type { Pool } from './pool.ts';
import { explainConnection } from './postgres-error.ts';

export interface ServersOptions {
  dsns: readonly string[];
  openPool(dsn: string): Pool;
  probe_interval_ms: number;
  probe_failures: number;
}

/** Timeout of the first probe. It is longer than later ones, because the process does not serve requests yet. */
const FIRST_PROBE_TIMEOUT_MS = 5_000;
/** Maximum timeout of a probe; always shorter than the interval between probes. */
const MAX_PROBE_TIMEOUT_MS = 2_000;
const READY: Availability = { mode: 'ready' };

export class Servers {
  readonly #options: ServersOptions;
  readonly #servers: readonly ObservedServer[];
  readonly #listeners = new Set<(notice: StoreNotice) => void>();
  #standing: Standing = FIRST_STANDING;
  #mark: PrimaryPosition | undefined;
  #looking: Promise<void> | undefined;
  #looks_of_servers: readonly Promise<void>[] = [];
  #probing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /**
   * Connects to the servers and throws if none can be used. If only standbys respond, the store starts in read-only
   * mode.
   */
  static async open(options: ServersOptions): Promise<Servers> {
    const servers = new Servers(options);
    try {
      await servers.#start();
      return servers;
    } catch (error) {
      await servers.close();
      throw error;
    }
  }

  private constructor(options: ServersOptions) {
    this.#options = options;
    this.#servers = options.dsns.map((dsn) => new ObservedServer(dsn, options.openPool(dsn)));
  }

  /** The current primary; in read-only mode, the last one. */
  get primary(): Server {
    return this.#at(this.#standing.primary);
  }

  get isPrimaryMissed(): boolean {
    return this.#at(this.#standing.primary).look.kind === 'gone';
  }

  /** Returns the server for the next read: a standby if the last probe did not reach the primary. */
  firstForReads(): Server {
    if (this.#standing.mode === 'ready' && !this.isPrimaryMissed) return this.primary;
    return this.#answering()[0] ?? this.primary;
  }

  listForReads(): Server[] {
    const { primary } = this;
    const answering = this.#answering();
    if (this.#standing.mode === 'read_only' && answering.length > 0) return answering;
    return [primary, ...answering.filter((server) => server !== primary)];
  }

  /** Probes the servers immediately, to find one for reads. The mode of the store does not depend on this probe. */
  lookAgain(): Promise<void> {
    return this.#lookAtAll(this.#look_ms);
  }

  /** Resolves when the first server can be read, so that a hanging server causes no delay. Throws if there is none. */
  async requireReadable(): Promise<void> {
    void this.lookAgain().catch(() => undefined);
    const looks = this.#looks_of_servers.map(async (look, place) => {
      await look;
      if (!this.#isReadable(place)) throw new Error(`${this.#at(place).name} cannot be read.`);
    });
    await Promise.any(looks).catch((cause: unknown) => {
      throw new CatalogError('registry.unavailable', 'No database server can be read.', { cause });
    });
  }

  availability(): Availability {
    if (this.#standing.mode === 'ready') return READY;
    // If no server responds, the lag of the most current one is the best estimate.
    const known = this.#servers.flatMap(({ lag_seconds }) => lag_seconds ?? []);
    const lag_seconds = this.#answering()[0]?.lag_seconds ?? Math.min(...known);
    return { mode: 'read_only', lag_seconds };
  }

  /**
   * Returns the time of the primary's clock, so that processes with different clocks agree on the end of a lease.
   * Extrapolates the last reading with a monotonic clock.
   */
  now(): Date {
    const reading =
      this.#at(this.#standing.primary).clock ?? this.#answering().find(({ clock }) => clock)?.clock;
    if (reading === undefined) return now();
    return new Date(reading.time_ms + monotonicMs() - reading.at_ms);
  }

  onNotice(listener: (notice: StoreNotice) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  describe(): StoreServer[] {
    const { primary } = this.#standing;
    return this.#servers.map((server, place) => server.describe(place === primary));
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#listeners.clear();
    await Promise.all(this.#servers.map((server) => server.close()));
    await this.#probing;
  }

  async #start(): Promise<void> {
    const { probe_failures, probe_interval_ms } = this.#options;
    await this.#lookAtAll(FIRST_PROBE_TIMEOUT_MS);
    // At startup, a single failed probe of the primary is enough.
    this.#standing = decideStanding(FIRST_STANDING, this.#looks(), Math.min(1, probe_failures));
    if (this.#standing.failures > 0 && this.#standing.mode === 'ready') throw this.#noPrimary();
    this.#timer = setInterval(() => {
      this.#probing ??= this.#probe().finally(() => {
        this.#probing = undefined;
      });
    }, probe_interval_ms).unref();
  }

  get #look_ms(): number {
    return Math.min(MAX_PROBE_TIMEOUT_MS, this.#options.probe_interval_ms * 0.8);
  }

  async #probe(): Promise<void> {
    const { probe_failures } = this.#options;
    await this.#lookAtAll(this.#look_ms);
    const before = this.#standing;
    const after = decideStanding(before, this.#looks(), probe_failures);
    this.#standing = after;
    // Statements that are still running on a former primary could hang or write to it.
    const isLost = after.mode === 'read_only' && before.mode === 'ready';
    if (isLost || after.primary !== before.primary) this.#at(before.primary).pool.cut();
    for (const change of listChanges(before, after, this.#servers)) {
      for (const listener of this.#listeners) listener({ ...change, at: this.now() });
    }
  }

  #lookAtAll(timeout_ms: number): Promise<void> {
    this.#looking ??= this.#lookAtEach(timeout_ms).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #lookAtEach(timeout_ms: number): Promise<void> {
    const at_ms = monotonicMs();
    this.#looks_of_servers = this.#servers.map((server) => server.probe(timeout_ms));
    await Promise.all(this.#looks_of_servers);
    // Reads on a hanging server are retried on another one.
    if (this.#answering().length > 0) {
      for (const { look, pool } of this.#servers) if (look.kind === 'gone') pool.cutReads();
    }
    const flushed = this.#looks().flatMap((look) =>
      look.kind === 'writable' ? [look.position] : [],
    );
    const marks = this.#mark === undefined ? [] : [this.#mark];
    if (flushed.length > 0) {
      this.#mark = { position: Math.max(...flushed), at_ms };
      marks.push(this.#mark);
    }
    for (const server of this.#servers) server.compare(marks);
  }

  #looks(): ObservedServer['look'][] {
    return this.#servers.map(({ look }) => look);
  }

  #at(place: number): ObservedServer {
    const server = this.#servers[place];
    if (server === undefined) throw new RangeError(`there is no server ${place}`);
    return server;
  }

  #answering(): ObservedServer[] {
    return this.#servers
      .filter(({ look }, place) => look.kind !== 'full' && this.#isReadable(place))
      .toSorted((one, other) => (one.lag_seconds ?? 0) - (other.lag_seconds ?? 0));
  }

  /** A primary without a free connection for a probe still serves its open connections. */
  #isReadable(place: number): boolean {
    const { kind } = this.#at(place).look;
    const isPrimary = place === this.#standing.primary;
    return kind === 'standby' || (isPrimary && (kind === 'writable' || kind === 'full'));
  }

  #noPrimary(): unknown {
    const { look } = this.#at(0);
    if (look.kind === 'gone') return explainConnection(look.error, this.#at(0).dsn, 'store.dsn');
    return new CatalogError(
      'registry.unavailable',
      `${this.#at(0).name} does not accept writes, and neither does any other configured server.`,
    );
  }
}
