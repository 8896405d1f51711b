import type { ActiveSpan, NewSpan } from '@catalog/core/ports/tracing';
import { newTrace } from './audit-context.ts';
import type { Registry } from './registry.ts';

export function traceTask<Result>(
  registry: Registry,
  trace_id: string | undefined,
  span: NewSpan,
  work: (span?: ActiveSpan) => Promise<Result>,
): Promise<Result> {
  const { tracing } = registry;
  if (tracing === undefined) return work();
  return tracing.startTrace({ trace_id: trace_id ?? newTrace(registry) }, span, work);
}
