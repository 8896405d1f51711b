import type { IngestTrigger } from '@catalog/contract/records/ingest';
import type { IngestRequest } from '../ports/jobs.ts';

/** Keeps the more urgent trigger; of equal ones, that of the first request, which has waited longer. */
export function joinRequests(first: IngestRequest, second: IngestRequest): IngestRequest {
  const isUrgent = urgencyOf(second.trigger) < urgencyOf(first.trigger);
  return {
    full: first.full || second.full,
    retry: [...new Set([...first.retry, ...second.retry])],
    trigger: isUrgent ? second.trigger : first.trigger,
  };
}

/** Claims use the same order: pushes and edits, then user requests, then automatic ingests. */
function urgencyOf(trigger: IngestTrigger): number {
  if (trigger === 'webhook' || trigger === 'files') return 0;
  return trigger === 'poll' || trigger === 'start' ? 2 : 1;
}
