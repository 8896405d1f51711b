import type { SendRequest } from '../../adapters/egress/send-request.ts';
import type { IdentityLog } from '../provider.ts';
import type { Json } from '@catalog/core/json';
import { discover, fetchDocument, IssuerError, type Discovered } from './discovery.ts';
import { pickKey, readKeys, type PublishedKey } from './published-key.ts';
import type { StoredKeys } from './stored-keys.ts';

export interface KeySetOptions {
  issuer: string;
  ttl_ms: number;
  send: SendRequest;
  stored: StoredKeys;
  monotonicMs: () => number;
}

export type FoundKey =
  | { kind: 'found'; key: PublishedKey }
  | { kind: 'unknown' }
  /** The issuer has been unavailable for too long. */
  | { kind: 'unavailable' };

export interface KeySet {
  /** Finds a key. Requests the keys from the issuer if they may have changed. */
  find(kid: string | undefined, algorithm: string): Promise<FoundKey>;
  retrySeconds(): number;
  /** Returns true if a key is still part of a recent response (SPEC-59). */
  isFresh(fingerprint: string): boolean;
  issuers(): readonly string[];
  prepare(log: IdentityLog): Promise<void>;
  /** Returns whether the issuer announces verified e-mail addresses; undefined before its first response. */
  announcesVerifiedEmail(): boolean | undefined;
  /** Checks the issuer. Rejects while the issuer is unavailable. */
  check(): Promise<void>;
  /** Fetches the keys immediately, because another request to the issuer failed. */
  suspect(): void;
  close(): void;
}

/** Maximum age of keys while the issuer is unavailable (SPEC-14). */
export const MAX_STALE_MS = 3_600_000;
/** Minimum interval between requests after a success, so that tokens with unknown keys cause only one request. */
export const COOLDOWN_MS = 30_000;
export const RETRY_MS = 5_000;
/** Fraction of their lifetime after which keys are refreshed in the background. */
const REFRESH_FRACTION = 0.8;

interface FetchedKeySet {
  keys: readonly PublishedKey[];
  fingerprints: ReadonlySet<string>;
  at: number;
}

export function openKeySet(options: KeySetOptions): KeySet {
  const { issuer, ttl_ms, send, stored, monotonicMs } = options;
  const closing = new AbortController();
  let log: IdentityLog | undefined;
  let discovered: Discovered | undefined;
  /** Accepted names stay valid when the URL of the keys is discovered again. */
  let issuers: readonly string[] = [issuer];
  let announces_verified_email: boolean | undefined;
  let answer: FetchedKeySet | undefined;
  let pendingFetch: Promise<void> | undefined;
  let next_try = Number.NEGATIVE_INFINITY;
  let problem: string | undefined;

  function ageMs(): number {
    return answer === undefined ? Number.POSITIVE_INFINITY : monotonicMs() - answer.at;
  }

  /** Refreshes the keys. Concurrent callers share one request. */
  function refresh(): Promise<void> | undefined {
    if (pendingFetch === undefined && monotonicMs() >= next_try) {
      pendingFetch = fetchKeys().finally(() => (pendingFetch = undefined));
    }
    return pendingFetch;
  }

  async function fetchKeys(): Promise<void> {
    try {
      discovered ??= await discover(issuer, send, closing.signal);
      ({ issuers, announces_verified_email } = discovered);
      const document = await fetchDocument(discovered.jwks_uri, send, closing.signal);
      if (!Array.isArray(document['keys'])) {
        throw new IssuerError(`${discovered.jwks_uri} did not return a key set`);
      }
      answer = toFetchedKeySet(document['keys'], monotonicMs());
      next_try = answer.at + COOLDOWN_MS;
      void save(answer.keys);
      if (problem !== undefined) log?.info({ issuer }, 'the issuer has recovered');
      problem = undefined;
    } catch (error) {
      discovered = undefined;
      next_try = monotonicMs() + RETRY_MS;
      await adoptStored();
      report(error instanceof Error ? error.message : String(error));
    }
  }

  async function adoptStored(): Promise<void> {
    try {
      const found = await stored.load(issuer);
      if (found === undefined || found.age_ms > Math.min(ageMs(), MAX_STALE_MS)) return;
      issuers = found.issuers;
      answer = toFetchedKeySet(found.keys, monotonicMs() - found.age_ms);
    } catch (error) {
      reportStore(error, 'failed to read the stored keys of the issuer');
    }
  }

  async function save(keys: readonly PublishedKey[]): Promise<void> {
    try {
      await stored.save({ issuer, issuers, keys: keys.map(({ jwk }) => jwk) });
    } catch (error) {
      reportStore(error, 'failed to store the keys of the issuer');
    }
  }

  function reportStore(error: unknown, message: string): void {
    if (!closing.signal.aborted) log?.warn({ issuer, why: String(error) }, message);
  }

  function report(why: string): void {
    if (closing.signal.aborted || why === problem) return;
    problem = why;
    const message =
      ageMs() > MAX_STALE_MS
        ? "failed to fetch the issuer's keys: requests with a token return 503 until this succeeds"
        : "failed to refresh the issuer's keys: the last known keys are used for up to an hour";
    log?.warn({ issuer, why }, message);
  }

  return {
    async find(kid, algorithm) {
      if (ageMs() > ttl_ms) {
        const refreshed = refresh();
        // While the last keys are usable, no request waits for an unavailable issuer.
        if (problem === undefined || ageMs() > MAX_STALE_MS) await refreshed;
      }
      let key = pickKey(answer?.keys ?? [], kid, algorithm);
      if (key === undefined) {
        await refresh();
        key = pickKey(answer?.keys ?? [], kid, algorithm);
      }
      if (ageMs() > MAX_STALE_MS) return { kind: 'unavailable' };
      return key === undefined ? { kind: 'unknown' } : { kind: 'found', key };
    },
    retrySeconds: () => Math.max(1, Math.ceil((next_try - monotonicMs()) / 1000)),
    isFresh(fingerprint) {
      const age = ageMs();
      if (age > ttl_ms * REFRESH_FRACTION) void refresh();
      return age <= ttl_ms && answer?.fingerprints.has(fingerprint) === true;
    },
    issuers: () => issuers,
    async prepare(to) {
      log = to;
      await refresh();
      const keys = answer?.keys.length;
      if (keys !== undefined) log.info({ issuers, keys }, 'accepting tokens of these issuers');
    },
    announcesVerifiedEmail: () => announces_verified_email,
    async check() {
      if (problem !== undefined || ageMs() > ttl_ms * REFRESH_FRACTION) await refresh();
      if (problem !== undefined) throw new IssuerError(problem);
    },
    suspect() {
      // Only the pause after a success is skipped; a failing issuer gets no additional requests.
      if (problem === undefined) next_try = Number.NEGATIVE_INFINITY;
      void refresh();
    },
    close: () => closing.abort(),
  };
}

function toFetchedKeySet(published: readonly Json[], at: number): FetchedKeySet {
  const keys = readKeys(published);
  return { keys, fingerprints: new Set(keys.map(({ fingerprint }) => fingerprint)), at };
}
