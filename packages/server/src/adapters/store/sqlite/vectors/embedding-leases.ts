/**
 * Leases of pending texts, in memory: no other process uses the file, and after a crash all texts can be claimed again.
 * A changed text gets a new stamp, which ends its lease.
 */
export interface EmbeddingLeases {
  count(model: number, now: string): number;
  takeFree<Row extends Stamped>(
    model: number,
    rows: readonly Row[],
    taking: { limit: number; until: string },
  ): Row[];
  release(model: number, rows: readonly Stamped[]): void;
}

interface Stamped {
  stamp: number;
}

export function createEmbeddingLeases(): EmbeddingLeases {
  const leases = new Map<number, Map<number, string>>();
  function takenOf(model: number): Map<number, string> {
    const taken = leases.get(model) ?? new Map<number, string>();
    leases.set(model, taken);
    return taken;
  }
  return {
    count(model, now) {
      const taken = takenOf(model);
      for (const [stamp, until] of taken) if (until <= now) taken.delete(stamp);
      return taken.size;
    },
    takeFree(model, rows, { limit, until }) {
      const taken = takenOf(model);
      const free = rows.filter(({ stamp }) => !taken.has(stamp)).slice(0, limit);
      for (const { stamp } of free) taken.set(stamp, until);
      return free;
    },
    release(model, rows) {
      const taken = takenOf(model);
      for (const { stamp } of rows) taken.delete(stamp);
    },
  };
}
