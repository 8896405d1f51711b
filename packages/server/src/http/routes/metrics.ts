import { metrics } from '@catalog/contract/endpoints/operations';
import { defineRoute, type Route } from '../route.ts';

/** What measurements are read from: a registry of prom-client. */
export interface Measurements {
  contentType: string;
  metrics(): Promise<string>;
}

export function metricsRoute(measurements: Measurements): Route {
  return defineRoute(metrics, async () => ({
    kind: 'bytes',
    status: 200,
    bytes: Buffer.from(await measurements.metrics()),
    media_type: measurements.contentType,
  }));
}
