import type { TelemetryOptions } from '../adapters/telemetry/open-telemetry.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

export function observeTelemetry(
  log: Pick<Log, 'info' | 'warn'>,
  metrics: () => Pick<Metrics, 'observeSpans' | 'observeExport'>,
): Pick<TelemetryOptions, 'onSpans' | 'onExport'> {
  const failing = new Set<string>();
  return {
    onSpans: (outcome, count) => metrics().observeSpans(outcome, count),
    onExport(signal, problem) {
      metrics().observeExport(signal, problem === undefined ? 'succeeded' : 'failed');
      if (problem === undefined) {
        if (failing.delete(signal)) log.info({ signal }, 'telemetry export has recovered');
      } else if (!failing.has(signal)) {
        failing.add(signal);
        log.warn({ signal, reason: problem }, 'failed to export telemetry; will retry');
      }
    },
  };
}
