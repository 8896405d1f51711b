import type { StoreServer } from '@catalog/core/ports/availability';
import { monotonicMs } from '../../../clock.ts';
import { computeFreshness, type PrimaryPosition } from './standby-freshness.ts';
import type { Pool } from './pool.ts';
import { openProbe, type ClockReading, type ProbeResult } from './probe.ts';
import { serverName } from './server-name.ts';

export interface Server {
  name: string;
  dsn: string;
  pool: Pool;
}

export class ObservedServer implements Server {
  readonly name: string;
  readonly dsn: string;
  readonly pool: Pool;
  readonly #probe;
  look: ProbeResult = { kind: 'full' };
  /** Time of `currentSince`; undefined before the first successful probe. */
  #current_ms: number | undefined;

  constructor(dsn: string, pool: Pool) {
    this.name = serverName(dsn);
    this.dsn = dsn;
    this.pool = pool;
    this.#probe = openProbe(dsn);
  }

  async probe(timeout_ms: number): Promise<void> {
    this.look = await this.#probe.look(timeout_ms);
  }

  get clock(): ClockReading | undefined {
    return this.#probe.clock();
  }

  compare(marks: readonly PrimaryPosition[]): void {
    if (this.look.kind !== 'standby') return;
    this.#current_ms = computeFreshness(this.#current_ms, this.look, monotonicMs(), marks);
  }

  get lag_seconds(): number | undefined {
    if (this.look.kind === 'writable') return 0;
    if (this.#current_ms === undefined) return undefined;
    return Math.max(0, Math.ceil((monotonicMs() - this.#current_ms) / 1000));
  }

  describe(isPrimary: boolean): StoreServer {
    return {
      name: this.name,
      role: this.#role(isPrimary),
      lag_seconds: this.look.kind === 'standby' ? (this.lag_seconds ?? null) : null,
      connections: this.pool.usage(),
    };
  }

  #role(isPrimary: boolean): StoreServer['role'] {
    if (this.look.kind === 'standby') return 'standby';
    if (this.look.kind === 'writable') return isPrimary ? 'primary' : 'rival';
    // A primary whose connections are all in use is still the primary.
    return this.look.kind === 'full' && isPrimary ? 'primary' : 'unreachable';
  }

  async close(): Promise<void> {
    this.#probe.close();
    await this.pool.close();
  }
}
