import type { UnresponsiveHost } from '@catalog/core/ports/unresponsive-host';

/** Maximum number of comparisons that use a slot, low enough to leave CPU for a push during startup. */
const SLOTS = 2;
/** Time after which a comparison only waits for its host and releases its slot. */
const SLOW_MS = 1000;
/** Maximum number of running comparisons, including those without a slot; each is a git process. */
const MAX_RUNNING = 16;

/**
 * Comparisons of one startup or poll, over all tenants. Layers with unresponsive hosts delay the others
 * by at most one second per layer, and by at most 10 s per host. A comparison fails after 10 s
 * (`probe_time_ms`) and holds its slot for one second of these. With 16 waiting comparisons, one ends
 * each second. After the first failure the host is known, and none of its other layers is compared.
 */
export interface RefComparisons {
  /** Resolves when the slot is free again; the comparison may still wait. */
  run(compare: () => Promise<void>): Promise<void>;
  /** Unresponsive hosts of this round, which are not contacted again. */
  unresponsive: Map<string, UnresponsiveHost>;
  /** Throws the first failure. */
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
