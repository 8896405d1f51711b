import { Agent, request, type IncomingHttpHeaders } from 'node:http';

export interface TimedAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Time from the request to the last byte. */
  ms: number;
}

export interface TimedClient {
  send(wire: { method: string; path: string; body?: unknown }): Promise<TimedAnswer>;
  close(): void;
}

export function openTimedClient(
  url: string,
  caller: Readonly<Record<string, string>>,
): TimedClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    send({ method, path, body }) {
      const payload = body === undefined ? undefined : JSON.stringify(body);
      const headers = {
        ...caller,
        ...(payload === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
      };
      return new Promise((resolve, reject) => {
        const began = performance.now();
        const outgoing = request(`${url}${path}`, { method, agent, headers }, (incoming) => {
          let text = '';
          incoming.setEncoding('utf8');
          incoming.on('data', (chunk: string) => (text += chunk));
          incoming.on('end', () => {
            const ms = performance.now() - began;
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, ms });
          });
          incoming.on('error', reject);
        });
        outgoing.on('error', reject);
        outgoing.end(payload);
      });
    },
    close: () => agent.destroy(),
  };
}

/** Headers that differ between any two responses. */
const VARIABLE_HEADERS = new Set(['date', 'x-request-id', 'traceparent']);

/** Returns the observable content of a response, without the requested name. */
export function observableContent({ status, headers, text }: TimedAnswer, name: string): string {
  const kept = Object.entries(headers).filter(([header]) => !VARIABLE_HEADERS.has(header));
  return JSON.stringify([status, kept, text]).replaceAll(name, '<name>');
}

/**
 * Returns the probability that a value of the first list is larger than one of the second. A tie counts
 * half.
 */
export function areaUnderCurve(first: readonly number[], second: readonly number[]): number {
  const all = [
    ...first.map((ms) => ({ ms, is_first: true })),
    ...second.map((ms) => ({ ms, is_first: false })),
  ].toSorted((a, b) => a.ms - b.ms);
  let ranks = 0;
  for (let start = 0; start < all.length;) {
    let end = start;
    while (end < all.length && all[end]?.ms === all[start]?.ms) end += 1;
    const rank = (start + 1 + end) / 2;
    for (; start < end; start += 1) if (all[start]?.is_first === true) ranks += rank;
  }
  const wins = ranks - (first.length * (first.length + 1)) / 2;
  return wins / (first.length * second.length);
}
