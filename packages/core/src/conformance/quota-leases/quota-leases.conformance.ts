import { describe, expect, test } from 'vitest';
import type { QuotaLease, QuotaLeases } from '../../ports/quota.ts';
import { openForTest, type OpenStore } from '../samples.conformance.ts';

/** Tokens per second: one in eleven days, so that none arrives during a test. */
const SLOW = 1e-6;

function granted(lease: QuotaLease): number {
  return lease.kind === 'granted' ? lease.tokens : 0;
}

async function takeAll(leases: QuotaLeases, bucket: { rate: number; burst: number }) {
  let taken = 0;
  for (let lease = await leases.lease(1, 'search', bucket, 3); granted(lease) > 0;) {
    taken += granted(lease);
    lease = await leases.lease(1, 'search', bucket, 3);
  }
  return taken;
}

export function quotaLeasesConformance(open: OpenStore): void {
  describe('quota leases', () => {
    test('grant at most the tokens in the bucket', async () => {
      const { quota } = await openForTest(open);
      const bucket = { rate: SLOW, burst: 10 };
      expect(await quota.lease(1, 'search', bucket, 4)).toEqual({ kind: 'granted', tokens: 4 });
      expect(await quota.lease(1, 'search', bucket, 40)).toEqual({ kind: 'granted', tokens: 6 });
      const spent = await quota.lease(1, 'search', bucket, 1);
      expect(spent).toMatchObject({ kind: 'spent' });
    });

    test('are separate for each tenant and each kind', async () => {
      const { quota } = await openForTest(open);
      const bucket = { rate: SLOW, burst: 2 };
      for (const [tenant, kind] of [
        [1, 'search'],
        [1, 'materialize'],
        [2, 'search'],
      ] as const) {
        expect(await quota.lease(tenant, kind, bucket, 3)).toEqual({ kind: 'granted', tokens: 2 });
        expect(await quota.lease(tenant, kind, bucket, 3)).toMatchObject({ kind: 'spent' });
      }
    });

    test('return the time until the next token', async () => {
      const { quota } = await openForTest(open);
      const bucket = { rate: 0.001, burst: 5 };
      expect(await takeAll(quota, bucket)).toBe(5);
      const lease = await quota.lease(1, 'search', bucket, 1);
      const wait = lease.kind === 'spent' ? lease.retry_after_ms : 0;
      // A token takes 1,000 seconds, minus the time since the first one.
      expect(wait).toBeLessThanOrEqual(1_000_000);
      expect(wait).toBeGreaterThan(900_000);
    });

    test('grant tokens again after that time, but never faster than the rate', async () => {
      const { quota } = await openForTest(open);
      const bucket = { rate: 200, burst: 10 };
      const started_at = performance.now();
      let taken = 0;
      while (taken < 30) {
        const lease = await quota.lease(1, 'search', bucket, 7);
        taken += granted(lease);
        const seconds = (performance.now() - started_at) / 1000;
        expect(taken).toBeLessThanOrEqual(bucket.burst + bucket.rate * seconds);
        if (lease.kind === 'granted') continue;
        await new Promise((resolve) => setTimeout(resolve, lease.retry_after_ms));
      }
    });

    test('grant at most a full bucket after a pause', async () => {
      const { quota } = await openForTest(open);
      const bucket = { rate: 1000, burst: 3 };
      await quota.lease(1, 'search', bucket, 3);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(await quota.lease(1, 'search', bucket, 1000)).toEqual({ kind: 'granted', tokens: 3 });
    });

    test('apply a changed rate immediately', async () => {
      const { quota } = await openForTest(open);
      expect(await takeAll(quota, { rate: SLOW, burst: 5 })).toBe(5);
      // At the new rate, an empty bucket is full after 10 ms; at the old rate, after weeks.
      const bucket = { rate: 1000, burst: 10 };
      await expect
        .poll(async () => granted(await quota.lease(1, 'search', bucket, 10)))
        .toBeGreaterThan(0);
    });

    test('grant each token once to concurrent callers', async () => {
      const { quota } = await openForTest(open);
      const bucket = { rate: SLOW, burst: 25 };
      const leases = await Promise.all(
        Array.from({ length: 20 }, () => quota.lease(1, 'search', bucket, 2)),
      );
      expect(leases.reduce((sum, lease) => sum + granted(lease), 0)).toBe(25);
    });
  });
}
