import { hostname } from 'node:os';
import { VERSION } from '@catalog/contract/version';
import type { Store } from '@catalog/core/ports/store';
import { monotonicMs, now } from './adapters/clock.ts';
import type { SendRequest } from './adapters/egress/send-request.ts';
import { newId, newSpanId } from './adapters/id.ts';
import type { Telemetry, TelemetryOptions } from './adapters/telemetry/open-telemetry.ts';
import { parsePairs } from './config/key-value-pairs.ts';
import type { Settings } from './config/settings.ts';

export interface TelemetryDependencies extends Pick<
  TelemetryOptions,
  'collect' | 'onSpans' | 'onExport'
> {
  store: Store;
  send: SendRequest;
}

/** Composes the export of telemetry. Returns undefined, without loading its modules, if no collector is configured. */
export async function composeTelemetry(
  settings: Settings,
  { store, ...world }: TelemetryDependencies,
): Promise<Telemetry | undefined> {
  const endpoint = settings['telemetry.otlp_endpoint'];
  if (endpoint === undefined) return undefined;
  const { openTelemetry } = await import('./adapters/telemetry/open-telemetry.ts');
  const found = await store.identity.get().catch(() => undefined);
  return openTelemetry({
    ...world,
    endpoint,
    headers: readPairs(settings['telemetry.otlp_headers']),
    resource: {
      ...readPairs(settings['telemetry.resource_attributes']),
      'service.name': settings['telemetry.service_name'],
      'service.version': VERSION,
      'service.instance.id': `${hostname()}:${process.pid}`,
    },
    version: VERSION,
    ratio: settings['telemetry.sampling_ratio'],
    // All processes of the store share this key, and callers do not know it. A new store has no identity yet.
    sampling_key: found?.identity ?? newId(),
    metrics_interval_ms: settings['telemetry.metrics_interval'] * 1000,
    now,
    monotonicMs,
    newSpanId,
  });
}

function readPairs(text: string | undefined): Record<string, string> {
  return (text === undefined ? undefined : parsePairs(text)) ?? {};
}
