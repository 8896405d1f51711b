/**
 * Who took what, and until when. Only this process takes anything from its file, so it is kept in memory;
 * when the process dies, everything can be taken again at once. What changes gets a new stamp, and is no
 * longer what was taken.
 */
export interface EmbeddingLeases {
  /** How many of a model are taken, without those whose time is over. */
  count(model: number, now: string): number;
  isTaken(model: number, stamp: number): boolean;
  take(model: number, stamp: number, until: string): void;
  release(model: number, stamp: number): void;
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
    isTaken: (model, stamp) => takenOf(model).has(stamp),
    take: (model, stamp, until) => void takenOf(model).set(stamp, until),
    release: (model, stamp) => void takenOf(model).delete(stamp),
  };
}
