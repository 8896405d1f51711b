import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { SeededRandom } from '../../../tools/seeded-random.ts';

export interface Load {
  stop(): Promise<{ requests: number; failures: string[] }>;
}

export interface LoadOptions {
  url: string;
  ca: string;
  clients: number;
  artifacts: number;
  random: SeededRandom;
}

interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
}

const TIMEOUT_MS = 15_000;

/** Sends requests until it is stopped; each client uses its own connection. */
export function startLoad({ url, ca, clients, artifacts, random }: LoadOptions): Load {
  const failures: string[] = [];
  let requests = 0;
  const stopped = new AbortController();

  async function sendRequest(agent: Agent): Promise<void> {
    const loadRequest = draw(random, artifacts);
    const problem = await send(url, loadRequest, { agent, ca });
    requests += 1;
    if (problem !== undefined)
      failures.push(`${loadRequest.method} ${loadRequest.path}: ${problem}`);
  }

  async function runClient(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!stopped.signal.aborted) await sendRequest(agent);
    agent.destroy();
  }

  const running = Array.from({ length: clients }, runClient);
  return {
    async stop() {
      stopped.abort();
      await Promise.all(running);
      return { requests, failures };
    },
  };
}

function draw(random: SeededRandom, artifacts: number): LoadRequest {
  const id = `area/one-${Math.floor(random.next() * artifacts)}`;
  return random.pick<LoadRequest>([
    { method: 'GET', path: `/v1/load_artifact?id=${id}` },
    { method: 'GET', path: '/v1/search_artifacts?query=release' },
    { method: 'GET', path: '/v1/load_domain?path=area' },
    { method: 'POST', path: '/v1/artifacts:batchLoad', body: JSON.stringify({ ids: [id] }) },
    { method: 'POST', path: '/v1/layers/reingest?id=team&wait=false' },
  ]);
}

/** Sends a request; returns the reason if it failed. */
async function send(
  url: string,
  { method, path, body }: LoadRequest,
  options: { agent: Agent; ca: string },
): Promise<string | undefined> {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' };
  const sent = request(`${url}${path}`, { ...options, method, headers, timeout: TIMEOUT_MS });
  sent.on('timeout', () => sent.destroy(new Error('no answer')));
  sent.end(body);
  try {
    const [answer]: IncomingMessage[] = await once(sent, 'response');
    const content = answer === undefined ? '' : await text(answer);
    const status = answer?.statusCode ?? 0;
    return status < 300 ? undefined : `${status} ${content.slice(0, 200)}`;
  } catch (error) {
    return String(error);
  }
}
