import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { ErrorCode } from '@catalog/contract/errors/error-codes';
import type { Availability } from '@catalog/core/ports/availability';
import type { Quota, QuotaKind, QuotaLeases } from '@catalog/core/ports/quota';
import type { Tenant } from '@catalog/core/ports/tenant';
import { computeBucketSizes } from './bucket-sizes.ts';

export interface LeasedQuotaOptions {
  leases: QuotaLeases;
  availability: () => Availability;
  monotonicMs: () => number;
  /** Reports an error that does not mean that the store is unavailable, once until a lease succeeds. */
  onFailure?: (error: unknown) => void;
}

/** Tokens of this process for one rate of one tenant. */
interface Account {
  tenant: Tenant;
  kind: QuotaKind;
  rate: number;
  /** Negative values are a debt that must be paid before the next request is admitted. */
  tokens: number;
  filled_at: number;
  spent_until: number;
  alone_until: number;
  waiting: number;
  refill: Promise<void> | undefined;
  payment: NodeJS.Timeout | undefined;
  used_at: number;
}

const SPENT = {
  search: { code: 'quota.search_qps_exceeded', what: 'search', one: 'search', many: 'searches' },
  materialize: {
    code: 'quota.materialize_rate_exceeded',
    what: 'load',
    one: 'artifact',
    many: 'artifacts',
  },
  source_test: {
    code: 'quota.source_test_rate_exceeded',
    what: 'source test',
    one: 'test',
    many: 'tests',
  },
} as const satisfies Record<QuotaKind, { code: ErrorCode } & Record<string, string>>;

/** Pause before the next lease if the last one was granted only in part. */
const PAUSE_MS = 50;
/** Unused tokens expire, so that idle processes do not keep them. */
const LEASED_TOKEN_TTL_MS = 1000;
const UNREACHABLE_PAUSE_MS = 1000;
const COUNT_MS = 10_000;
const IDLE_MS = 60_000;
const ACCOUNTS_BETWEEN_SWEEPS = 1000;

/**
 * Limits request rates across all processes of a store (SPEC-33). A process leases blocks of tokens from the store
 * before it needs them, so most requests are decided in memory. A request is admitted if one token is left, and may
 * create a debt if it costs more. If the store leases nothing, each process applies its share of the rate.
 */
export function createLeasedQuota(options: LeasedQuotaOptions): Quota {
  const { leases, availability, monotonicMs, onFailure } = options;
  const accounts = new Map<string, Account>();
  let processes = 1;
  let counted_at = -Infinity;
  let opened = 0;
  let isFailing = false;

  function take(
    tenant: Tenant,
    kind: QuotaKind,
    rate: number,
    amount: number,
  ): Promise<void> | undefined {
    const now = monotonicMs();
    const account = accountOf(tenant, kind, rate, now);
    account.used_at = now;
    const isAlone = isCutOff(account, now);
    if (isAlone) fillShare(account, now);
    else if (now - account.filled_at > LEASED_TOKEN_TTL_MS)
      account.tokens = Math.min(account.tokens, 0);
    if (account.tokens >= 1) {
      spend(account, amount);
      return undefined;
    }
    if (isAlone || account.tokens < 0 || now < account.spent_until) throw spent(account, now);
    return waitFor(account, amount);
  }

  function accountOf(tenant: Tenant, kind: QuotaKind, rate: number, now: number): Account {
    const key = `${tenant} ${kind}`;
    const known = accounts.get(key);
    if (known !== undefined) {
      if (known.rate !== rate) changeRate(known, rate);
      return known;
    }
    opened += 1;
    if (opened % ACCOUNTS_BETWEEN_SWEEPS === 0) forgetIdle(now);
    const account: Account = {
      tenant,
      kind,
      rate,
      tokens: 0,
      filled_at: -Infinity,
      spent_until: 0,
      alone_until: 0,
      waiting: 0,
      refill: undefined,
      payment: undefined,
      used_at: now,
    };
    accounts.set(key, account);
    return account;
  }

  /** Changes the rate of an account. The new rate also applies to tokens that were leased earlier. */
  function changeRate(account: Account, rate: number): void {
    account.rate = rate;
    account.spent_until = 0;
    account.tokens = Math.min(account.tokens, computeBucketSizes(rate, processes).block);
  }

  function forgetIdle(now: number): void {
    for (const [key, account] of accounts) {
      const isBusy = account.refill !== undefined || account.tokens < 0;
      if (!isBusy && now - account.used_at > IDLE_MS) accounts.delete(key);
    }
  }

  function spend(account: Account, amount: number): void {
    account.tokens -= amount;
    if (account.tokens < 0) schedulePayment(account);
    const { block } = computeBucketSizes(account.rate, processes);
    const isLow = block > 1 && account.tokens * 4 < block;
    const now = monotonicMs();
    if (isLow && now >= account.spent_until && !isCutOff(account, now)) void fill(account);
  }

  async function waitFor(account: Account, amount: number): Promise<void> {
    account.waiting += amount;
    try {
      do {
        await fill(account);
        if (account.tokens >= 1) return spend(account, amount);
      } while (account.tokens >= 0 && monotonicMs() >= account.spent_until);
      throw spent(account, monotonicMs());
    } finally {
      account.waiting -= amount;
    }
  }

  /** Shares the pending lease among concurrent callers. */
  function fill(account: Account): Promise<void> {
    account.refill ??= lease(account).finally(() => {
      account.refill = undefined;
    });
    return account.refill;
  }

  async function lease(account: Account): Promise<void> {
    const { tenant, kind, rate } = account;
    try {
      await countProcesses();
      const { block, burst } = computeBucketSizes(rate, processes);
      const wanted = Math.ceil(block - account.tokens + account.waiting);
      const lent = await leases.lease(tenant, kind, { rate, burst }, wanted);
      isFailing = false;
      const now = monotonicMs();
      account.filled_at = now;
      if (lent.kind === 'spent') {
        account.spent_until = now + Math.max(PAUSE_MS, lent.retry_after_ms);
        return;
      }
      account.tokens += lent.tokens;
      // A partial lease means that the store has no tokens left.
      account.spent_until = lent.tokens < wanted ? now + PAUSE_MS : 0;
    } catch (error) {
      reportFailure(error);
      const now = monotonicMs();
      account.alone_until = now + UNREACHABLE_PAUSE_MS;
      fillShare(account, now);
      account.spent_until = now + PAUSE_MS;
    }
  }

  /** The store itself reports that it is unavailable. */
  function reportFailure(error: unknown): void {
    if (isFailing || isUnavailable(error)) return;
    isFailing = true;
    onFailure?.(error);
  }

  async function countProcesses(): Promise<void> {
    const now = monotonicMs();
    if (now - counted_at < COUNT_MS) return;
    counted_at = now;
    processes = Math.max(1, await leases.countProcesses());
  }

  /** Schedules the payment of a debt, which must be paid even if there are no further requests. */
  function schedulePayment(account: Account): void {
    const pause = Math.max(PAUSE_MS, account.spent_until - monotonicMs());
    account.payment ??= setTimeout(() => void pay(account), pause).unref();
  }

  async function pay(account: Account): Promise<void> {
    account.payment = undefined;
    const now = monotonicMs();
    if (isCutOff(account, now)) fillShare(account, now);
    else await fill(account);
    if (account.tokens < 0) schedulePayment(account);
  }

  function isCutOff(account: Account, now: number): boolean {
    return now < account.alone_until || availability().mode === 'read_only';
  }

  /** Adds tokens at this process's share of the rate, while the store grants no leases. */
  function fillShare(account: Account, now: number): void {
    const share = account.rate / processes;
    const allowance = Math.max(1, computeBucketSizes(account.rate, processes).burst / processes);
    const brought = ((now - account.filled_at) / 1000) * share;
    account.tokens = Math.min(allowance, account.tokens + brought);
    account.filled_at = now;
  }

  function spent(account: Account, now: number): CatalogError {
    const { kind, rate, tokens, spent_until } = account;
    const share = isCutOff(account, now) ? rate / processes : rate;
    const owed_ms = tokens < 0 || isCutOff(account, now) ? ((1 - tokens) / share) * 1000 : 0;
    const wait_ms = Math.max(1, owed_ms, spent_until - now);
    const details = { limit: rate, retry_after_seconds: Math.ceil(wait_ms) / 1000 };
    const { code, what, one, many } = SPENT[kind];
    const allowance = rate === 1 ? `one ${one}` : `${rate} ${many}`;
    return new CatalogError(
      code,
      `The ${what} rate limit of this tenant is ${allowance} per second.`,
      {
        details,
      },
    );
  }

  return { take };
}

function isUnavailable(error: unknown): boolean {
  return (
    error instanceof CatalogError &&
    (error.code === 'registry.unavailable' || error.code === 'registry.read_only')
  );
}
