import { setTimeout as delay } from 'node:timers/promises';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { ReembedJob } from '@catalog/contract/records/reembed';
import type { CallContext, Registry } from '../registry.ts';
import { getReembed } from './get-reembed.ts';

/** First pause between polls. A large job is polled less often. */
const INITIAL_PAUSE_MS = 20;
const MAX_PAUSE_MS = 1000;
const STALLED_MS = 60_000;

export async function waitForReembed(
  registry: Registry,
  context: Pick<CallContext, 'tenant'>,
  job: string,
  signal: AbortSignal,
): Promise<ReembedJob> {
  const ended = AbortSignal.any([signal, registry.stopping]);
  let remaining = Infinity;
  let moved_at = registry.now().getTime();
  for (let pause = INITIAL_PAUSE_MS; ; pause = Math.min(MAX_PAUSE_MS, pause * 2)) {
    if (registry.store.availability().mode === 'read_only') throw interrupted(job);
    const state = await getReembed(registry, context, { job });
    if (state.state === 'done') return state;
    const now = registry.now().getTime();
    if (state.remaining < remaining) [remaining, moved_at] = [state.remaining, now];
    if (now - moved_at >= STALLED_MS) throw stalled(state);
    await delay(pause, undefined, { signal: ended }).catch(() => ended.throwIfAborted());
  }
}

function interrupted(job: string): CatalogError {
  return new CatalogError(
    'registry.read_only',
    `The registry became read-only while waiting for the job \`${job}\`; it resumes when the primary database recovers.`,
    { suggested_action: `Then get the result with \`GET /v1/admin/reembed/${job}\`.` },
  );
}

function stalled({ job, remaining, total }: ReembedJob): CatalogError {
  return new CatalogError(
    'registry.unavailable',
    `No embedding was created for a minute, and ${remaining} of ${total} are still pending: the embedding provider does not respond.`,
    {
      suggested_action: `Check the embedding provider. The job continues automatically; follow its progress with \`GET /v1/admin/reembed/${job}\`.`,
    },
  );
}
