import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';

export interface Callers {
  stop(): Promise<{ durations: number[]; failures: string[] }>;
}

const TIMEOUT_MS = 10_000;

/** Starts callers that each send a request on a new connection, read the response, and pause. */
export function startCallers(urls: readonly string[], count: number, pause_ms: number): Callers {
  const durations: number[] = [];
  const failures: string[] = [];
  const stopping = new AbortController();
  async function call(url: string): Promise<void> {
    while (!stopping.signal.aborted) {
      const started = performance.now();
      try {
        const status = await getStatus(url);
        if (status !== 200) failures.push(`${url}: ${status}`);
      } catch (error) {
        failures.push(`${url}: ${error instanceof Error ? error.message : String(error)}`);
      }
      durations.push(performance.now() - started);
      await delay(pause_ms);
    }
  }
  const running = urls.flatMap((url) => Array.from({ length: count }, () => call(url)));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(running);
      return { durations, failures };
    },
  };
}

/** Sends one request on its own connection; returns the status. */
export function getStatus(url: string): Promise<number> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const options = { agent: false, rejectUnauthorized: false, timeout: TIMEOUT_MS };
    const request = send(url, options, (response) => {
      response.once('end', () => resolve(response.statusCode ?? 0));
      response.once('error', reject);
      response.resume();
    });
    request.once('timeout', () => request.destroy(new Error('no response in time')));
    request.once('error', reject);
    request.end();
  });
}
