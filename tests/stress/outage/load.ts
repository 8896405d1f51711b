import { setTimeout as pause } from 'node:timers/promises';
import type { SeededRandom } from '../../../tools/seeded-random.ts';
import { REQUEST_NAMES, type RequestName } from './documented.ts';
import { PREPARE, type Answer, type Clients } from './requests.ts';

/** A request, when it was sent, and its response. */
export interface Sent extends Answer {
  name: RequestName;
  began_ms: number;
  ended_ms: number;
}

export interface Load {
  sent: readonly Sent[];
  /** Waits until each request was sent after this call and got a response. */
  untilAllSent(): Promise<void>;
  /** Waits for the last responses. */
  stop(): Promise<void>;
}

const CLIENTS = 4;
const PAUSE_MS = 10;

/** Clients that send every request in turn, each in an order of its own. */
export function startLoad(clients: Clients, random: SeededRandom): Load {
  const sent: Sent[] = [];
  const stopping = new AbortController();

  async function sendOne(name: RequestName): Promise<void> {
    const request = await PREPARE[name](clients);
    const began_ms = performance.now();
    const answer = await request();
    sent.push({ ...answer, name, began_ms, ended_ms: performance.now() });
  }

  async function runClient(): Promise<void> {
    for (let at = 0, order = random.shuffle(REQUEST_NAMES); !stopping.signal.aborted; at += 1) {
      if (at % order.length === 0) order = random.shuffle(REQUEST_NAMES);
      const name = order[at % order.length];
      if (name !== undefined) await sendOne(name);
      await pause(PAUSE_MS);
    }
  }

  const running = Array.from({ length: CLIENTS }, runClient);
  return {
    sent,
    async untilAllSent() {
      const since = performance.now();
      const isDone = (): boolean =>
        REQUEST_NAMES.every((name) =>
          sent.some((one) => one.name === name && one.began_ms > since),
        );
      while (!isDone()) await Promise.race([pause(PAUSE_MS), failed(running)]);
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

/** Rejects if a client fails. */
async function failed(running: readonly Promise<void>[]): Promise<void> {
  await Promise.all(running);
}
