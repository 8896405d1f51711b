import type { IngestTrigger } from '@catalog/contract/records/ingest';
import type { IngestRequest } from '../ports/jobs.ts';

/**
 * One request that does what two ask for. It keeps the more urgent trigger, so that a push does not wait
 * because a start requested the layer before; of equal ones, that of the first, which has waited longer.
 */
export function joinRequests(first: IngestRequest, second: IngestRequest): IngestRequest {
  const isUrgent = urgencyOf(second.trigger) < urgencyOf(first.trigger);
  return {
    full: first.full || second.full,
    retry: [...new Set([...first.retry, ...second.retry])],
    trigger: isUrgent ? second.trigger : first.trigger,
  };
}

/** Claims use the same order: pushes and edits, what users request, what the registry does by itself. */
function urgencyOf(trigger: IngestTrigger): number {
  if (trigger === 'webhook' || trigger === 'files') return 0;
  return trigger === 'poll' || trigger === 'start' ? 2 : 1;
}
