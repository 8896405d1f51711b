import type { JSONRPCRequest } from '@modelcontextprotocol/server';

/** A request counts until the host has read its response. */
const MOST_AT_ONCE = 32;
const LONGEST_LINE = 1_000;
/** They respond from memory, or never end. */
const WITHOUT_TURN = new Set(['initialize', 'ping', 'server/discover', 'subscriptions/listen']);

type RequestId = JSONRPCRequest['id'];

export interface Turns {
  take: (request: JSONRPCRequest) => void;
  end: (id: RequestId) => void;
  cancel: (id: RequestId) => void;
  isEmpty: () => boolean;
  isFull: () => boolean;
}

export function openTurns(begin: (request: JSONRPCRequest) => void): Turns {
  /** A host can use an id twice. */
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
