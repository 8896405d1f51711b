import type { IngestTrigger } from '@catalog/contract/records/ingest';
import type { IngestRequest } from '../ports/jobs.ts';

/**
 * Merges two requests for an ingest. The more urgent trigger applies, or else the first one, which has waited longer.
 * The latest override of freeze windows applies.
 */
export function joinRequests(first: IngestRequest, second: IngestRequest): IngestRequest {
  const isUrgent = urgencyOf(second.trigger) < urgencyOf(first.trigger);
  const break_glass = second.break_glass ?? first.break_glass;
  return {
    ...(break_glass === undefined ? {} : { break_glass }),
    full: first.full || second.full,
    retry: [...new Set([...first.retry, ...second.retry])],
    trigger: isUrgent ? second.trigger : first.trigger,
  };
}

/** Returns the urgency of a trigger: pushes and edits, then requests of users, then automatic ingests. */
function urgencyOf(trigger: IngestTrigger): number {
  if (trigger === 'webhook' || trigger === 'files') return 0;
  return trigger === 'poll' || trigger === 'start' ? 2 : 1;
}
