export interface AnswerJudge {
  allow(id: string | number): void;
  /** Returns the problem of a stdout line; undefined if it is valid. */
  judge(line: string): string | undefined;
}

/** Notifications that belong to a request: its progress, and a subscription of protocol version 2026-07-28. */
const OWN_NOTIFICATIONS = /^notifications\/(?:progress|subscriptions\/acknowledged)$/;

export function openJudge(): AnswerJudge {
  const allowed = new Map<string | number, number>();
  return {
    allow: (id) => void allowed.set(id, (allowed.get(id) ?? 0) + 1),
    judge(line) {
      const message = parse(line);
      if (message === undefined) return `no JSON on stdout: ${line.slice(0, 80)}`;
      const { jsonrpc, id, method } = message;
      if (jsonrpc !== '2.0') return `no JSON-RPC on stdout: ${line.slice(0, 80)}`;
      if (typeof method === 'string') {
        return OWN_NOTIFICATIONS.test(method) ? undefined : `an unasked ${method}`;
      }
      if ('result' in message === 'error' in message) return 'neither a result nor an error';
      if (typeof id !== 'string' && typeof id !== 'number') return 'an answer to nobody';
      const left = allowed.get(id) ?? 0;
      if (left === 0) return `an answer nobody asked for, to ${id}`;
      allowed.set(id, left - 1);
      return undefined;
    },
  };
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
