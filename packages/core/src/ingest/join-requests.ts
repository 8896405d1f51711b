import type { IngestRequest } from '../ports/jobs.ts';

/** One request that does what two ask for. It keeps the trigger of the first, which has waited longer. */
export function joinRequests(first: IngestRequest, second: IngestRequest): IngestRequest {
  return {
    full: first.full || second.full,
    retry: [...new Set([...first.retry, ...second.retry])],
    trigger: first.trigger,
  };
}
