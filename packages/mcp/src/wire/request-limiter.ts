import type { JSONRPCRequest } from '@modelcontextprotocol/server';

/** Maximum number of concurrent requests. A request counts until the host has read its response. */
const MAX_CONCURRENT = 32;
const MAX_QUEUED = 1_000;
/** Methods without a limit, because they respond from memory or never end. */
const UNLIMITED_METHODS = new Set([
  'initialize',
  'ping',
  'server/discover',
  'subscriptions/listen',
]);

type RequestId = JSONRPCRequest['id'];

export interface RequestLimiter {
  take: (request: JSONRPCRequest) => void;
  end: (id: RequestId) => void;
  cancel: (id: RequestId) => void;
  isEmpty: () => boolean;
  isFull: () => boolean;
}

export function createRequestLimiter(begin: (request: JSONRPCRequest) => void): RequestLimiter {
  /** Number of running requests by id, because a host can use an id twice. */
  const runningById = new Map<RequestId, number>();
  const limitedIds: RequestId[] = [];
  let queue: JSONRPCRequest[] = [];

  function start(request: JSONRPCRequest): void {
    const { id, method } = request;
    runningById.set(id, (runningById.get(id) ?? 0) + 1);
    if (!UNLIMITED_METHODS.has(method)) limitedIds.push(id);
    begin(request);
  }

  function finish(id: RequestId): void {
    const left = (runningById.get(id) ?? 0) - 1;
    if (left > 0) runningById.set(id, left);
    else runningById.delete(id);
    const turn = limitedIds.indexOf(id);
    if (turn !== -1) limitedIds.splice(turn, 1);
    while (limitedIds.length < MAX_CONCURRENT) {
      const next = queue.shift();
      if (next === undefined) return;
      start(next);
    }
  }

  return {
    take: (request) => {
      if (limitedIds.length < MAX_CONCURRENT || UNLIMITED_METHODS.has(request.method))
        start(request);
      else queue.push(request);
    },
    end: finish,
    cancel: (id) => {
      queue = queue.filter((request) => request.id !== id);
      finish(id);
    },
    isEmpty: () => runningById.size === 0 && queue.length === 0,
    isFull: () => queue.length >= MAX_QUEUED,
  };
}
