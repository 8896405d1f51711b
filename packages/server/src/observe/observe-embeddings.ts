import type { EmbedLog } from '../jobs/embed-worker.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** A provider that is away fails every second: it is said once in this time. */
const QUIET_MS = 60_000;

/** Counts vectors and says in the log when they cannot be made. */
export function observeEmbeddings(log: Log, metrics: Metrics, now: () => Date): EmbedLog {
  let told_at = -Infinity;
  function isNews(): boolean {
    const at = now().getTime();
    if (at - told_at < QUIET_MS) return false;
    told_at = at;
    return true;
  }
  return {
    embedded(model, { claimed, failed }) {
      metrics.observeEmbedded({ made: claimed - failed, failed });
      log.debug({ model, texts: claimed, failed }, 'embeddings created');
      if (failed > 0 && isNews()) {
        log.warn({ model, failed }, 'embedding failed; will retry');
      }
    },
    failed(cause) {
      if (isNews()) log.error({ error: cause }, 'failed to create embeddings');
    },
  };
}
