import { Agent, request } from 'node:http';
import { median } from './benchmark.ts';

export interface Side {
  client: Client;
  cpuMs(): number;
  stop(): Promise<void>;
}

export interface Client {
  /**
   * Returns the body of a response with status 200, and the milliseconds from the request to its
   * last byte.
   */
  get(path: string): Promise<{ body: string; ms: number }>;
  close(): void;
}

export function openSide(serving: { url: string; cpuMs(): number; stop(): Promise<void> }): Side {
  const client = openClient(serving.url);
  return {
    client,
    cpuMs: () => serving.cpuMs(),
    stop: () => {
      client.close();
      return serving.stop();
    },
  };
}

function openClient(url: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    async get(path) {
      const began = performance.now();
      const { status, body } = await send(`${url}${path}`, agent);
      const ms = performance.now() - began;
      if (status !== 200) throw new Error(`${path} answered ${status}: ${body}`);
      return { body, ms };
    },
    close: () => agent.destroy(),
  };
}

function send(url: string, agent: Agent): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent }, (incoming) => {
      let body = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (text: string) => (body += text));
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, body }));
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

export interface Cost {
  p50: number;
  p99: number;
  cpu_ms: number;
}

export interface TimedRequests {
  side: Side;
  paths: readonly string[];
}

/** Times both sides in turns, so that a slow moment affects both. A fifth more requests warm up. */
export async function timeInTurns(
  subject: TimedRequests,
  baseline: TimedRequests,
  requests: number,
): Promise<{ subject: Cost; baseline: Cost }> {
  const sides = [subject, baseline];
  const turns = async (count: number): Promise<number[][]> => {
    const times: number[][] = sides.map(() => []);
    for (let turn = 0; turn < count; turn += 1) {
      for (const [at, { side, paths }] of sides.entries()) {
        const { ms } = await side.client.get(paths[turn % paths.length] ?? '');
        times[at]?.push(ms);
      }
    }
    return times;
  };
  await turns(Math.ceil(requests / 5));
  const before = sides.map(({ side }) => side.cpuMs());
  const times = await turns(requests);
  const costOf = (at: number, { side }: TimedRequests): Cost => ({
    ...percentilesOf(times[at] ?? []),
    cpu_ms: (side.cpuMs() - (before[at] ?? 0)) / requests,
  });
  return { subject: costOf(0, subject), baseline: costOf(1, baseline) };
}

export function percentilesOf(times: readonly number[]): { p50: number; p99: number } {
  const sorted = times.toSorted((a, b) => a - b);
  return { p50: median(sorted), p99: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN };
}
