import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { JobRecord } from '@catalog/core/ports/jobs';
import type { Store } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';

/** Interval of polls, which find commits of other processes. */
const POLL_MILLISECONDS = 500;

export async function waitForIngest(
  store: Store,
  tenant: Tenant,
  job: string,
  signal: AbortSignal,
): Promise<JobRecord> {
  for (;;) {
    signal.throwIfAborted();
    if (isReadOnly(store)) throw interrupted(job);
    // Listening starts before the read, so that no commit in between is missed.
    const change = listenForChange(store, signal);
    try {
      const record = await store.jobs.get(tenant, job);
      // During an outage, the read comes from a standby.
      if (record === undefined) throw isReadOnly(store) ? interrupted(job) : forgotten(job);
      if (record.state === 'done' || record.state === 'failed') return record;
      await change.happened;
    } finally {
      change.forget();
    }
  }
}

function isReadOnly(store: Store): boolean {
  return store.availability().mode === 'read_only';
}

function listenForChange(
  store: Store,
  signal: AbortSignal,
): { happened: Promise<void>; forget(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stopListening = store.onCommit(resolve);
  const timer = setTimeout(resolve, POLL_MILLISECONDS);
  const wake = (): void => resolve();
  signal.addEventListener('abort', wake);
  return {
    happened: promise,
    forget() {
      stopListening();
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
    },
  };
}

/** Creates the error of an interrupted wait: in read-only mode no job ends, and a standby may lack the job. */
function interrupted(job: string): CatalogError {
  return new CatalogError(
    'registry.read_only',
    `The registry became read-only while waiting for the ingest \`${job}\`; it resumes when the primary database recovers.`,
    { suggested_action: `Then get the result with \`GET /v1/ingests/${job}\`.` },
  );
}

function forgotten(job: string): CatalogError {
  return new CatalogError('registry.not_found', `The ingest \`${job}\` is no longer stored.`, {
    details: { id: job },
    suggested_action: 'Find the result with `GET /v1/layers/ingests`.',
  });
}
