import { setTimeout as pause } from 'node:timers/promises';
import type { ReverseProxyName } from '@catalog/testkit/reverse-proxy';
import type { SeededRandom } from '../../../tools/seeded-random.ts';
import { REQUEST_NAMES, type RequestName } from './documented.ts';
import { PREPARE, type Answer, type Clients, type SignInReturn } from './requests.ts';

export interface Sent extends Answer {
  name: RequestName;
  proxy: ReverseProxyName | undefined;
  began_ms: number;
  ended_ms: number;
}

export interface Load {
  sent: readonly Sent[];
  /** Waits until each request was sent after this call and got a response. */
  untilAllSent(): Promise<void>;
  stop(): Promise<void>;
}

const PAUSE_MS = 10;

export interface Member {
  proxy: ReverseProxyName | undefined;
  spare_return: SignInReturn;
  names: readonly RequestName[];
  pause_ms: number;
}

/** Starts clients that send their requests sequentially, each in its own order. */
export function startLoad(
  { place, ...clients }: Clients,
  members: readonly Member[],
  random: SeededRandom,
): Load {
  const sent: Sent[] = [];
  const stopping = new AbortController();

  async function sendOne(name: RequestName, { proxy, spare_return }: Member): Promise<void> {
    const request = await PREPARE[name]({ ...clients, place: { ...place, proxy }, spare_return });
    const began_ms = performance.now();
    const answer = await request();
    sent.push({ ...answer, name, proxy, began_ms, ended_ms: performance.now() });
  }

  async function runClient(member: Member): Promise<void> {
    for (;;) {
      for (const name of random.shuffle(member.names)) {
        if (stopping.signal.aborted) return;
        await sendOne(name, member);
        await pause(member.pause_ms);
      }
    }
  }

  const running = members.map(runClient);
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

async function failed(running: readonly Promise<void>[]): Promise<void> {
  await Promise.all(running);
}
