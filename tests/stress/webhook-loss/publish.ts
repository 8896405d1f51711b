import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { writeTree } from '@catalog/testkit/temporary-folder';
import type { SeededRandom } from '../../../tools/seeded-random.ts';

export const LAYER = 'team';
const ARTIFACTS = 120;
/** Each ingest publishes a new version of these; with `layer.ingested`, it causes 50 events. */
const PUBLISHED = 49;
export const EVENTS_PER_INGEST = PUBLISHED + 1;

/** Time after which an ingest is requested again, from another process if there are several. */
const INGEST_TIMEOUT_MS = 20_000;
/** Time without an acknowledged ingest after which the test fails. */
const GIVE_UP_MS = 300_000;

export interface Publisher {
  acknowledged: number;
  /** Returns the duration of the successful ingest in milliseconds, without failed requests. */
  publish(): Promise<number>;
  /** Sends a request to running processes until one succeeds; returns the body. */
  request(method: string, path: string, body?: object): Promise<string>;
}

export function openPublisher(
  urls: readonly string[],
  folder: string,
  random: SeededRandom,
): Publisher {
  let round = 0;
  let turn = 0;

  async function request(method: string, path: string, body?: object): Promise<string> {
    const latest = performance.now() + GIVE_UP_MS;
    for (;;) {
      const url = urls[turn++ % urls.length] ?? '';
      const failure = await send(`${url}${path}`, method, body);
      if (failure.ok) return failure.text;
      if (performance.now() > latest) throw new Error(`${method} ${path}: ${failure.text}`);
      await delay(50);
    }
  }

  const publisher: Publisher = {
    acknowledged: 0,
    request,
    async publish() {
      round += 1;
      const ids = random.shuffle(Array.from({ length: ARTIFACTS }, (_, index) => index));
      const files = ids.slice(0, PUBLISHED).map((id) => [fileOf(id), contentOf(round)]);
      writeTree(folder, Object.fromEntries(files));
      for (;;) {
        const started = performance.now();
        const url = urls[turn++ % urls.length] ?? '';
        const { ok } = await send(`${url}/v1/layers/reingest?id=${LAYER}`, 'POST');
        if (ok) {
          publisher.acknowledged += 1;
          return performance.now() - started;
        }
        await request('GET', '/readyz');
      }
    },
  };
  return publisher;
}

async function send(
  url: string,
  method: string,
  body?: object,
): Promise<{ ok: boolean; text: string }> {
  try {
    const response = await fetch(url, {
      method,
      signal: AbortSignal.timeout(INGEST_TIMEOUT_MS),
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const text = await response.text();
    return { ok: response.ok, text: `${response.status} ${text}`.slice(response.ok ? 4 : 0) };
  } catch (error) {
    return { ok: false, text: String(error) };
  }
}

function fileOf(id: number): string {
  return join(`area/one-${id}`, 'ARTIFACT.md');
}

function contentOf(round: number): string {
  return `---\ntype: rule\nversion: 1.0.${round}\ndescription: Checks a release.\n---\nRun the tests.\n`;
}
