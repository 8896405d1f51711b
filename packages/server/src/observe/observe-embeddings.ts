import type { EmbedLog } from '../jobs/embed-worker.ts';
import { createLogThrottle } from './log-throttle.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

export function observeEmbeddings(log: Log, metrics: Metrics, now: () => Date): EmbedLog {
  const canLog = createLogThrottle(now);
  return {
    embedded(model, { claimed, failed }) {
      metrics.observeEmbedded({ made: claimed - failed, failed });
      log.debug({ model, texts: claimed, failed }, 'embeddings created');
      if (failed > 0 && canLog()) {
        log.warn({ model, failed }, 'embedding failed; will retry');
      }
    },
    failed(cause) {
      if (canLog()) log.error({ error: cause }, 'failed to create embeddings');
    },
  };
}
