export interface Candidate {
  sum: number;
  rank: number;
  number: number;
}

/** Best candidates of a search, with all that tie with the last one: their ids decide. */
export interface BestCandidates {
  offer(sum: number, rank: number, number: number): void;
  least(): number;
  /** Lists candidates, the best first. Those after `limit` tie with the last one within the limit. */
  list(): Candidate[];
}

/** Collects the best candidates. A frequent word has thousands of ties, which are stored as unsorted numbers. */
export function keepBest(limit: number): BestCandidates {
  const best: Candidate[] = [];
  let equals: number[] = [];

  function insert(candidate: Candidate): void {
    let low = 0;
    for (let high = best.length; low < high;) {
      const middle = (low + high) >>> 1;
      const met = best[middle];
      if (met !== undefined && better(candidate, met) < 0) high = middle;
      else low = middle + 1;
    }
    best.splice(low, 0, candidate);
    const dropped = best.length > limit ? best.pop() : undefined;
    const last = best.at(-1);
    if (dropped === undefined || last === undefined) return;
    if (better(last, dropped) === 0) equals.push(dropped.number);
    else equals = [];
  }

  return {
    offer(sum, rank, number) {
      const last = best[limit - 1];
      if (last === undefined || sum > last.sum) insert({ sum, rank, number });
      else if (sum < last.sum || rank < last.rank) return;
      else if (rank > last.rank) insert({ sum, rank, number });
      else equals.push(number);
    },
    least: () => best[limit - 1]?.sum ?? -Infinity,
    list() {
      const last = best.at(-1);
      return last === undefined ? [] : [...best, ...equals.map((number) => ({ ...last, number }))];
    },
  };
}

export function better(a: Candidate, b: Candidate): number {
  return b.sum - a.sum || b.rank - a.rank;
}
