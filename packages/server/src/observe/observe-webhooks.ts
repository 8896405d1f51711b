import type { WebhookLog } from '../jobs/webhook-worker.ts';
import type { Registry } from '../registry/registry.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** A worker that fails every second says so once in this time. */
const QUIET_MS = 60_000;

/** Counts attempts, and says in the log when a receiver is disabled. */
export function observeWebhooks(registry: Registry, log: Log, metrics: Metrics): WebhookLog {
  let told_at = -Infinity;
  return {
    attempted(outcome, duration_ms) {
      metrics.observeWebhook(outcome, duration_ms / 1000);
    },
    disabled({ id, disabled_by, failure_count }) {
      const fields = { receiver: id, failures: failure_count };
      if (disabled_by === 'gone') log.warn(fields, 'webhook receiver disabled: it responded 410');
      else log.warn(fields, 'webhook receiver disabled after failures over at least a day');
    },
    failed(error) {
      const now = registry.now().getTime();
      if (now - told_at < QUIET_MS) return;
      told_at = now;
      log.error({ error }, 'failed to deliver webhooks; will retry');
    },
  };
}
