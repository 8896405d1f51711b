import type { WebhookLog } from '../jobs/webhook-worker.ts';
import type { Registry } from '../registry/registry.ts';
import { createLogThrottle } from './log-throttle.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

export function observeWebhooks(registry: Registry, log: Log, metrics: Metrics): WebhookLog {
  const canLog = createLogThrottle(() => registry.now());
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
      if (canLog()) log.error({ error }, 'failed to deliver webhooks; will retry');
    },
  };
}
