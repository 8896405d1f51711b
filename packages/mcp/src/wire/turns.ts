import type { JSONRPCRequest } from '@modelcontextprotocol/server';

/** Requests that are worked on at once; one counts until the host has taken its answer. */
const MOST_AT_ONCE = 32;
/** Requests that wait for their turn; with more of them nothing is read from the host. */
const LONGEST_LINE = 1_000;
/** What is answered from memory, or never ends, takes no turn. */
const WITHOUT_TURN = new Set(['initialize', 'ping', 'server/discover', 'subscriptions/listen']);

type RequestId = JSONRPCRequest['id'];

/** The requests of a host that are not answered yet. */
export interface Turns {
  /** Begins a request, now or when it is its turn. */
  take: (request: JSONRPCRequest) => void;
  /** A request was answered. */
  end: (id: RequestId) => void;
  /** Nobody waits for a request any more, whether it has begun or not. */
  cancel: (id: RequestId) => void;
  isEmpty: () => boolean;
  isFull: () => boolean;
}

/**
 * Lets only so many requests be under way. A host that asks and never reads would otherwise fill the
 * memory with answers.
 */
export function openTurns(begin: (request: JSONRPCRequest) => void): Turns {
  /** How many of each id are under way; nothing keeps a host from using one twice. */
  const underWay = new Map<RequestId, number>();
  const turns: RequestId[] = [];
  let line: JSONRPCRequest[] = [];

  function start(request: JSONRPCRequest): void {
    const { id, method } = request;
    underWay.set(id, (underWay.get(id) ?? 0) + 1);
    if (!WITHOUT_TURN.has(method)) turns.push(id);
    begin(request);
  }

  function finish(id: RequestId): void {
    const left = (underWay.get(id) ?? 0) - 1;
    if (left > 0) underWay.set(id, left);
    else underWay.delete(id);
    const turn = turns.indexOf(id);
    if (turn !== -1) turns.splice(turn, 1);
    while (turns.length < MOST_AT_ONCE) {
      const next = line.shift();
      if (next === undefined) return;
      start(next);
    }
  }

  return {
    take: (request) => {
      if (turns.length < MOST_AT_ONCE || WITHOUT_TURN.has(request.method)) start(request);
      else line.push(request);
    },
    end: finish,
    cancel: (id) => {
      line = line.filter((request) => request.id !== id);
      finish(id);
    },
    isEmpty: () => underWay.size === 0 && line.length === 0,
    isFull: () => line.length >= LONGEST_LINE,
  };
}
