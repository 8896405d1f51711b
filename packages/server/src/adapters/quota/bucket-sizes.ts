export interface BucketSizes {
  burst: number;
  /** Maximum number of unused tokens that a process may hold. */
  block: number;
}

/**
 * Computes token bucket sizes for a rate. The bucket of the store and the buckets of all processes each hold a tenth of
 * the rate, so a tenant can use at most 1.2 times its rate in one second. The bucket of the store holds at least 1.5
 * tokens, so that a slightly late request loses none.
 */
export function computeBucketSizes(rate: number, processes: number): BucketSizes {
  return {
    burst: Math.max(1.5, rate / 10),
    block: Math.max(1, Math.floor(rate / 10 / processes)),
  };
}
