export interface BucketSizes {
  burst: number;
  /** Maximum number of unused tokens per process. */
  block: number;
}

/**
 * Returns the bucket sizes. In any second, a tenant can use its rate plus the tokens in the bucket
 * and in the processes. The latter two are a tenth of the rate each, so the maximum is 1.2 times
 * the rate. The bucket holds at least 1.5 tokens, so that a slightly late request does not lose
 * one.
 */
export function computeBucketSizes(rate: number, processes: number): BucketSizes {
  return {
    burst: Math.max(1.5, rate / 10),
    block: Math.max(1, Math.floor(rate / 10 / processes)),
  };
}
