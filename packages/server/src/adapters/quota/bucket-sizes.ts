/** How a limit is cut up between the store and the processes that lease from it. */
export interface BucketSizes {
  /** What the bucket in the store holds at most. */
  burst: number;
  /** What one process holds at most, beside what somebody waits for. */
  block: number;
}

/**
 * In any second a tenant can use its rate, what the bucket held and what the processes held. Each of
 * the latter two is a tenth of the rate, so that together it is never more than 1.2 of it. A bucket
 * holds at least one token and half another, or one that is asked for a little late would be lost.
 */
export function sizesOf(rate: number, processes: number): BucketSizes {
  return {
    burst: Math.max(1.5, rate / 10),
    block: Math.max(1, Math.floor(rate / 10 / processes)),
  };
}
