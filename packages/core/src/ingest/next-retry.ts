import type { ErrorEnvelope } from '@catalog/contract/errors/catalog-error';
import { bytesHash } from '../artifact/content-hash.ts';
import type { JobRecord } from '../ports/jobs.ts';

/** First pause, which doubles after each further failure. */
const FIRST_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 3_600_000;
/** Maximum random part of a pause, so that the layers of one host do not retry at the same time. */
const JITTER = 0.25;

/** Returns true for failures that may be temporary: those of a host, the store or the object store. */
export function mayPass({ code, retryable, details }: ErrorEnvelope): boolean {
  const isStorage = code === 'ingest.resource_store_failed';
  return retryable || isStorage || details['reason'] === 'unresponsive_host';
}

/**
 * Returns the time of the next retry in milliseconds since the epoch. `jobs` are the ingests of a layer, newest first.
 * Returns undefined if the last failure is permanent, or if the first failure is older than `limit_ms`.
 */
export function nextRetry(jobs: readonly JobRecord[], limit_ms: number): number | undefined {
  const end = jobs.findIndex(({ state, error }) => {
    return state !== 'failed' || error === null || !mayPass(error);
  });
  const failures = end === -1 ? jobs : jobs.slice(0, end);
  const [last] = failures;
  const first = failures.at(-1);
  if (last === undefined || first === undefined) return undefined;
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (failures.length - 1), MAX_PAUSE_MS);
  const due = endOf(last) + pause * (1 + JITTER * fractionOf(last.job));
  return due - endOf(first) > limit_ms ? undefined : due;
}

function endOf({ finished_at, created_at }: JobRecord): number {
  return Date.parse(finished_at ?? created_at);
}

/** Returns a number from 0 to 1, derived from the job, so that all processes agree. */
function fractionOf(job: string): number {
  return Number.parseInt(bytesHash(job).slice(-8), 16) / 2 ** 32;
}
