import type { UnresponsiveHost } from '@catalog/core/ports/unresponsive-host';

/** Comparisons that use a slot at the same time: few, so that a push during a start has CPU left. */
const SLOTS = 2;
/** After this time, a comparison only waits for its host, and its slot is free. */
const SLOW_MS = 1000;
/** Comparisons at the same time, with those that only wait: each is a process of git. */
const MAX_RUNNING = 16;

/**
 * The comparisons of one start or poll, over all tenants, in the order they are requested.
 *
 * Layers whose hosts do not respond delay the others by at most one second per layer, and by at most
 * 10 s per host. A comparison fails after 10 s (`probe_time_ms`) and holds its slot for one second of
 * them. If 16 wait, one ends in each second. When the first one has failed, the host is known, and no
 * other layer of it is compared.
 */
export interface RefComparisons {
  /** Runs a comparison in a slot. Resolves when the slot is free again; the comparison may still wait. */
  run(compare: () => Promise<void>): Promise<void>;
  /** Hosts that did not respond in this round; nothing waits for them again. */
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
    // The end of one that only waited makes room, too.
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

/** Waits for work up to a time limit. */
async function endsWithin(work: Promise<void>, limit_ms: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, limit_ms);
  await Promise.race([work, late]);
  clearTimeout(timer);
}
