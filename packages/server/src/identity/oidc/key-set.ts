import type { SendRequest } from '../../adapters/egress/send-request.ts';
import type { IdentityLog } from '../provider.ts';
import type { Json } from '@catalog/core/json';
import { discover, fetchDocument, IssuerError, type Discovered } from './discovery.ts';
import { pickKey, readKeys, type PublishedKey } from './published-key.ts';
import type { StoredKeys } from './stored-keys.ts';

/** What the keys of an issuer are fetched with. */
export interface KeySetOptions {
  issuer: string;
  /** How long an answer of the issuer is fresh. */
  ttl_ms: number;
  send: SendRequest;
  stored: StoredKeys;
  /** Milliseconds on a clock that only moves forward. */
  monotonicMs: () => number;
}

export type FoundKey =
  | { kind: 'found'; key: PublishedKey }
  /** The issuer publishes no such key. */
  | { kind: 'unknown' }
  /** Nobody knows: the issuer has not answered for too long. */
  | { kind: 'unavailable' };

/** The keys an issuer publishes, as they are now. */
export interface KeySet {
  /** The key for a token; asks the issuer where that may change the answer. */
  find(kid: string | undefined, algorithm: string): Promise<FoundKey>;
  /** Seconds until the issuer is asked for its keys again. */
  retrySeconds(): number;
  /** Whether a key found before is among those of a fresh answer (SPEC-59). */
  isFresh(fingerprint: string): boolean;
  /** What `iss` of a token may be. */
  issuers(): readonly string[];
  prepare(log: IdentityLog): Promise<void>;
  /** Whether the issuer lists `email_verified` among its claims; undefined until it has answered. */
  announcesVerifiedEmail(): boolean | undefined;
  /** Refreshes keys that are about to expire; rejects while the issuer is unavailable. */
  check(): Promise<void>;
  /** Fetches the keys now, because another request to the issuer failed. */
  suspect(): void;
  close(): void;
}

/** Keys of the last answer are used for so long while the issuer does not answer (SPEC-14). */
export const LAST_GOOD_MS = 3_600_000;
/** After an answer: tokens that name keys nobody knows make one request in this time. */
export const COOLDOWN_MS = 30_000;
/** After a failure. */
export const RETRY_MS = 5_000;
/** The part of its time after which a fresh answer is renewed, before anybody has to wait for it. */
const RENEW_AT = 0.8;

interface Answer {
  keys: readonly PublishedKey[];
  fingerprints: ReadonlySet<string>;
  at: number;
}

export function openKeySet(options: KeySetOptions): KeySet {
  const { issuer, ttl_ms, send, stored, monotonicMs } = options;
  const closing = new AbortController();
  let log: IdentityLog | undefined;
  let discovered: Discovered | undefined;
  /** The names of the issuer outlive the address of its keys. */
  let issuers: readonly string[] = [issuer];
  let announces_verified_email: boolean | undefined;
  let answer: Answer | undefined;
  let asking: Promise<void> | undefined;
  let next_try = Number.NEGATIVE_INFINITY;
  let problem: string | undefined;

  function ageMs(): number {
    return answer === undefined ? Number.POSITIVE_INFINITY : monotonicMs() - answer.at;
  }

  /** Asks the issuer, unless that was just done; whoever comes meanwhile waits for the same answer. */
  function refresh(): Promise<void> | undefined {
    if (asking === undefined && monotonicMs() >= next_try) {
      asking = ask().finally(() => (asking = undefined));
    }
    return asking;
  }

  async function ask(): Promise<void> {
    try {
      discovered ??= await discover(issuer, send, closing.signal);
      ({ issuers, announces_verified_email } = discovered);
      const document = await fetchDocument(discovered.jwks_uri, send, closing.signal);
      if (!Array.isArray(document['keys'])) {
        throw new IssuerError(`${discovered.jwks_uri} did not return a key set`);
      }
      answer = toAnswer(document['keys'], monotonicMs());
      next_try = answer.at + COOLDOWN_MS;
      // Not waited for: tokens need the keys, not the copy of them.
      void save(answer.keys);
      if (problem !== undefined) log?.info({ issuer }, 'the issuer has recovered');
      problem = undefined;
    } catch (error) {
      // The address of the keys may be what changed.
      discovered = undefined;
      next_try = monotonicMs() + RETRY_MS;
      await adoptStored();
      report(error instanceof Error ? error.message : String(error));
    }
  }

  /** Uses the keys that another process fetched, if they are newer than those of this one. */
  async function adoptStored(): Promise<void> {
    try {
      const found = await stored.load(issuer);
      if (found === undefined || found.age_ms > Math.min(ageMs(), LAST_GOOD_MS)) return;
      issuers = found.issuers;
      answer = toAnswer(found.keys, monotonicMs() - found.age_ms);
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
      ageMs() > LAST_GOOD_MS
        ? "failed to fetch the issuer's keys: requests with a token return 503 until this succeeds"
        : "failed to refresh the issuer's keys: the last known keys are used for up to an hour";
    log?.warn({ issuer, why }, message);
  }

  return {
    async find(kid, algorithm) {
      if (ageMs() > ttl_ms) {
        const refreshed = refresh();
        // No request waits for an issuer that is known to be unavailable while the last keys serve.
        if (problem === undefined || ageMs() > LAST_GOOD_MS) await refreshed;
      }
      let key = pickKey(answer?.keys ?? [], kid, algorithm);
      if (key === undefined) {
        await refresh();
        key = pickKey(answer?.keys ?? [], kid, algorithm);
      }
      if (ageMs() > LAST_GOOD_MS) return { kind: 'unavailable' };
      return key === undefined ? { kind: 'unknown' } : { kind: 'found', key };
    },
    retrySeconds: () => Math.max(1, Math.ceil((next_try - monotonicMs()) / 1000)),
    isFresh(fingerprint) {
      const age = ageMs();
      if (age > ttl_ms * RENEW_AT) void refresh();
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
      if (problem !== undefined || ageMs() > ttl_ms * RENEW_AT) await refresh();
      if (problem !== undefined) throw new IssuerError(problem);
    },
    suspect() {
      // Only the wait after a success ends early: an issuer that fails is not sent more requests.
      if (problem === undefined) next_try = Number.NEGATIVE_INFINITY;
      void refresh();
    },
    close: () => closing.abort(),
  };
}

function toAnswer(published: readonly Json[], at: number): Answer {
  const keys = readKeys(published);
  return { keys, fingerprints: new Set(keys.map(({ fingerprint }) => fingerprint)), at };
}
