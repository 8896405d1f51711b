import type { Settings } from '../config/settings.ts';
import type { AppOptions } from '../http/app.ts';
import type { CallerName } from './caller-name.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** Operations that monitoring calls every few seconds. They are not logged. */
const PROBES: ReadonlySet<string> = new Set(['healthz', 'readyz', 'metrics']);

export interface RequestLog {
  settings: Pick<Settings, 'access_log'>;
  callerName: CallerName;
}

export function observeRequests(
  log: Log,
  metrics: Metrics,
  { settings, callerName }: RequestLog,
): Pick<AppOptions, 'onAnswered' | 'onFailed'> {
  return {
    onAnswered(request, subject) {
      metrics.observeRequest(request);
      // A wrong secret may mean that the git host is configured incorrectly (INGEST-03).
      if (request.code === 'ingest.webhook_invalid') log.warn(request, 'webhook delivery rejected');
      if (!settings.access_log) return;
      const caller = subject === undefined ? undefined : callerName(subject);
      const entry = caller === undefined ? request : { ...request, caller };
      if (PROBES.has(request.endpoint)) log.debug(entry, 'request');
      else log.line(entry, 'request');
    },
    onFailed: ({ error, ...request }) => log.error({ ...request, error }, 'request failed'),
  };
}
