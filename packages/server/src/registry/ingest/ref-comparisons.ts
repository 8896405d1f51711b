import type { UnresponsiveHost } from '@catalog/core/ports/unresponsive-host';

/** Maximum number of comparisons in slots, low enough to leave CPU for a push during startup. */
const SLOTS = 2;
/** Time after which a comparison releases its slot, because it only waits for its host. */
const SLOW_MS = 1000;
/** Maximum number of running comparisons with and without a slot; each is a git process. */
const MAX_RUNNING = 16;

/**
 * Runs the comparisons of one startup or poll, over all tenants. A comparison fails after 10 s (`probe_time_ms`) but
 * holds its slot for only one second. After the first failure of a host, its other layers are not compared.
 */
export interface RefComparisons {
  /** Runs a comparison. Resolves when its slot is free again; the comparison may still wait. */
  run(compare: () => Promise<void>): Promise<void>;
  /** Unresponsive hosts, which are not contacted again in this round. */
  unresponsive: Map<string, UnresponsiveHost>;
  /** Waits for all comparisons. Throws the first failure. */
  ended(): Promise<void>;
}

export function startComparisons(): RefComparisons {
  const requested: (() => void)[] = [];
  const running = new Set<Promise<void>>();
  const inSlots = new Set<Promise<void>>();
  const failures: unknown[] = [];

  function startNext(): void {
    while (inSlots.size < SLOTS && running.size < MAX_RUNNING) {
      const start = requested.shift();
      if (start === undefined) return;
      start();
    }
  }

  async function start(compare: () => Promise<void>): Promise<void> {
    const comparison = compare()
      .catch((cause: unknown) => void failures.push(cause))
      .finally(() => running.delete(comparison));
    running.add(comparison);
    inSlots.add(comparison);
    await endsWithin(comparison, SLOW_MS);
    inSlots.delete(comparison);
    startNext();
    void comparison.then(startNext);
  }

  return {
    unresponsive: new Map(),
    run: (compare) =>
      new Promise((resolve) => {
        requested.push(() => void start(compare).then(resolve));
        startNext();
      }),
    async ended() {
      await Promise.all(running);
      if (failures.length > 0) throw failures[0];
    },
  };
}

async function endsWithin(work: Promise<void>, limit_ms: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, limit_ms);
  await Promise.race([work, late]);
  clearTimeout(timer);
}
