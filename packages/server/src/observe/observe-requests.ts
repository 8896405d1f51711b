import type { AppOptions } from '../http/app.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** Operations that machines ask every few seconds: their lines are of no interest to anybody. */
const PROBES: ReadonlySet<string> = new Set(['healthz', 'readyz', 'metrics']);

/** Counts and logs every request; an error of the registry's own with its stack. */
export function observeRequests(
  log: Log,
  metrics: Metrics,
  options: { access_log: boolean },
): Pick<AppOptions, 'onAnswered' | 'onFailed'> {
  return {
    onAnswered(request) {
      metrics.observeRequest(request);
      // Somebody knows the address of a layer and not its secret (INGEST-03).
      if (request.code === 'ingest.webhook_invalid') log.warn(request, 'webhook delivery rejected');
      if (!options.access_log) return;
      if (PROBES.has(request.endpoint)) log.debug(request, 'request');
      else log.line(request, 'request');
    },
    onFailed: ({ error, ...request }) => log.error({ ...request, error }, 'request failed'),
  };
}
