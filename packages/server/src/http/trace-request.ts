import { healthz, metrics, readyz } from '@catalog/contract/endpoints/operations';
import type { TraceOrigin, Tracing } from '@catalog/core/ports/tracing';

interface Outcome {
  status: number;
  code?: string;
}

/** Endpoints that load balancers and monitoring request every few seconds. */
const PROBES: ReadonlySet<string> = new Set([healthz, readyz, metrics].map(({ path }) => path));

/** Runs a request in a span. The span contains the path template of the endpoint, without ids or names. */
export async function traceRequest(
  tracing: Tracing,
  origin: TraceOrigin,
  { method, route }: { method: string; route: string | undefined },
  run: () => Promise<Outcome>,
): Promise<void> {
  if (route !== undefined && PROBES.has(route)) {
    await run();
    return;
  }
  const span = {
    name: route === undefined ? method : `${method} ${route}`,
    kind: 'server',
    attributes: {
      'http.request.method': method,
      ...(route === undefined ? {} : { 'http.route': route }),
    },
  } as const;
  await tracing.startTrace(origin, span, async (recorded) => {
    const { status, code } = await run();
    recorded.set({ 'http.response.status_code': status });
    if (status >= 500) recorded.fail(code ?? String(status));
    else if (code !== undefined) recorded.set({ 'error.type': code });
  });
}
