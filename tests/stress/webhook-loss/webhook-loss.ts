import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createCertificateAuthority,
  type CertificateAuthority,
} from '@catalog/testkit/certificate-authority';
import { seededRandom, type SeededRandom } from '../../../tools/seeded-random.ts';
import type { StressResult, StressSession, StressTest } from '../stress-test.ts';
import { RECEIVER_KINDS } from './behaviors.ts';
import { countDuplicates, findMissing, findWrong, type CommittedEvent } from './check-receipts.ts';
import { EVENTS_PER_INGEST, openPublisher, type Publisher } from './publish.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { startRegistry, type Engine, type Registry } from './registry.ts';

/** One history per engine; the last part of a seed is the number of the history. */
const ENGINES: readonly { engine: Engine; processes: number }[] = [
  { engine: 'sqlite', processes: 1 },
  { engine: 'postgres', processes: 3 },
];
const KILL_EVERY_MS = 5000;
const MIN_LONG = 2000;
/** Number of ingests before the first receiver exists, and while every receiver hangs. */
const MEASURED_INGESTS = 6;
/**
 * Limits for the duration of an ingest with hanging receivers, compared with the slowest ingest
 * without receivers.
 */
const MAX_INGEST_RATIO = 2;
const MAX_INGEST_EXTRA_MS = 1500;
/** Longer than any pause, timeout or probe of the registry. */
const STALL_MS = 90_000;
const POLL_INTERVAL_MS = 250;
/** One attempt more than a dispatch needs while its receiver fails. */
const RETRY_SCHEDULE = Array.from({ length: 100 }, () => '1s').join();

export const webhookLoss: StressTest = {
  name: 'webhook-loss',
  servers: true,
  summary:
    'Publishes n events per engine to webhook receivers that fail, hang, redirect, reset, respond ' +
    'slowly or lie until they recover, and kills a process every 5 seconds: SQLite with one process, ' +
    'PostgreSQL with three. Every receiver accepts every matching event. Needs ./dev services up.',
  n: 10_000,
  histories: ENGINES.length,
  bugs: 'tests/stress/webhook-loss/planted-bugs.json',
  bug_n: 600,
  timeout_ms: 1_800_000,
  open,
};

function open(folder: string, size: number): StressSession {
  const authority = createCertificateAuthority();
  async function play(seed: string): Promise<StressResult> {
    const place = join(folder, seed);
    mkdirSync(place, { recursive: true });
    try {
      return await playIn(place, seed, size, await authority);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  }
  return {
    play,
    async shrink(seed) {
      const { problems } = await play(seed);
      const { engine } = engineOf(seed);
      const steps = [`publish ${size} events on ${engine}, and kill a process every 5 seconds`];
      return problems.length === 0 ? undefined : { steps, problems };
    },
  };
}

function engineOf(seed: string): { engine: Engine; processes: number } {
  const index = Number(seed.split('-').at(-1)) % ENGINES.length;
  return ENGINES[index] ?? { engine: 'sqlite', processes: 1 };
}

async function playIn(
  folder: string,
  seed: string,
  size: number,
  authority: CertificateAuthority,
): Promise<StressResult> {
  const random = seededRandom(seed);
  const source = join(folder, 'layer');
  mkdirSync(source);
  const receivers = await startReceivers(size, authority, random);
  const registry = await startRegistry({
    ...engineOf(seed),
    folder,
    source,
    env: {
      CATALOG_CA_FILE: authority.writeCert(folder),
      CATALOG_WEBHOOK_ALLOWED_TARGETS: 'localhost,127.0.0.0/8',
      CATALOG_WEBHOOK_RETRY_SCHEDULE: RETRY_SCHEDULE,
    },
  });
  try {
    const publisher = openPublisher(registry.urls, source, random);
    const place = { registry, publisher, receivers, random, size };
    const { counts, problems } = await playEvents(place);
    const { engine } = engineOf(seed);
    const named = Object.entries(counts).map(([name, count]) => [`${name} (${engine})`, count]);
    return { counts: Object.fromEntries(named), problems };
  } finally {
    await registry.close();
    await Promise.all(receivers.map((receiver) => receiver.close()));
  }
}

async function startReceivers(
  size: number,
  authority: CertificateAuthority,
  random: SeededRandom,
): Promise<Receiver[]> {
  const certificate = await authority.issue();
  const kinds = RECEIVER_KINDS.filter(({ is_long }) => is_long !== true || size >= MIN_LONG);
  return Promise.all(
    kinds.map((kind, index) =>
      startReceiver({ kind, certificate, secret: `signing secret of receiver ${index}`, random }),
    ),
  );
}

interface Place {
  registry: Registry;
  publisher: Publisher;
  receivers: readonly Receiver[];
  random: SeededRandom;
  size: number;
}

async function playEvents(place: Place): Promise<StressResult> {
  const { registry, publisher, receivers } = place;
  const without = await measureIngests(publisher);
  const ids = await subscribe(publisher, receivers);
  const first = (await registry.readEvents()).at(-1)?.sequence ?? 0;
  const hanging = await measureIngests(publisher);
  const problems: string[] = [];
  const slowest = Math.max(...without) * MAX_INGEST_RATIO + MAX_INGEST_EXTRA_MS;
  if (Math.max(...hanging) > slowest) {
    problems.push(
      `an ingest took ${Math.round(Math.max(...hanging))} ms while receivers hang, and at most ` +
        `${Math.round(Math.max(...without))} ms without receivers`,
    );
  }
  for (const receiver of receivers) receiver.misbehave();
  const killing = startKilling(registry, publisher);
  const rounds = Math.ceil(place.size / EVENTS_PER_INGEST) - MEASURED_INGESTS;
  const during = await publishAndRecover(place, ids, rounds);
  const kills = await killing.stop();

  const events = await waitForAll(place, ids, first);
  for (const receiver of receivers) {
    problems.push(...receiver.problems, ...findWrong(receiver, events));
    const missing = findMissing(receiver, events);
    const [one] = missing;
    if (one === undefined) continue;
    const { event, sequence, timestamp } = one;
    problems.push(
      `${receiver.kind.name}: ${missing.length} events are missing, the first is ${event} ${sequence} of ${timestamp}`,
    );
  }
  const sum = (count: (receiver: Receiver) => number): number =>
    receivers.reduce((total, receiver) => total + count(receiver), 0);
  return {
    counts: {
      events: events.length,
      kills,
      receivers: receivers.length,
      requests: sum(({ requests }) => requests),
      'accepted events': sum(({ receipts }) => receipts.size),
      duplicates: sum(countDuplicates),
      'ms per ingest without receivers': median(without),
      'ms per ingest while all hang': median(hanging),
      'ms per ingest under kills': median(during),
    },
    problems: problems.slice(0, 10),
  };
}

async function measureIngests(publisher: Publisher): Promise<number[]> {
  const durations: number[] = [];
  while (durations.length < MEASURED_INGESTS) durations.push(await publisher.publish());
  return durations;
}

async function subscribe(
  publisher: Publisher,
  receivers: readonly Receiver[],
): Promise<ReadonlyMap<Receiver, string>> {
  const ids = new Map<Receiver, string>();
  for (const receiver of receivers) {
    const { url, secret, kind } = receiver;
    const created = await publisher.request('POST', '/v1/webhooks', {
      url,
      secret,
      ...(kind.event_filter !== undefined && { event_filter: kind.event_filter }),
      ...(kind.debounce_ms !== undefined && { debounce: `${kind.debounce_ms / 1000}s` }),
    });
    const { id }: { id: string } = JSON.parse(created);
    ids.set(receiver, id);
  }
  return ids;
}

/**
 * Kills every five seconds until it is stopped, at least twice; returns the number of kills. On a
 * machine under load, one ingest completes between two kills.
 */
function startKilling(registry: Registry, publisher: Publisher): { stop(): Promise<number> } {
  const stopping = new AbortController();
  let kills = 0;
  async function run(): Promise<void> {
    while (!stopping.signal.aborted || kills < MIN_KILLS) {
      const { acknowledged } = publisher;
      await delay(KILL_EVERY_MS);
      while (publisher.acknowledged === acknowledged && !stopping.signal.aborted) {
        await delay(POLL_INTERVAL_MS);
      }
      await registry.killNext();
      kills += 1;
    }
  }
  const running = run();
  running.catch(() => undefined);
  return {
    async stop() {
      stopping.abort();
      await running;
      return kills;
    },
  };
}

const MIN_KILLS = 2;

/** Returns the durations of the ingests. Each receiver recovers at its own time. */
async function publishAndRecover(
  { publisher, receivers, random }: Place,
  ids: ReadonlyMap<Receiver, string>,
  rounds: number,
): Promise<number[]> {
  const recoveries = receivers.map((receiver) => ({
    receiver,
    round: Math.floor(rounds * (0.3 + random.next() * 0.8)),
  }));
  const durations: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    durations.push(await publisher.publish());
    for (const { receiver } of recoveries.filter((recovery) => recovery.round === round)) {
      await recover(publisher, receiver, ids.get(receiver));
    }
  }
  for (const { receiver, round } of recoveries) {
    if (round >= rounds) await recover(publisher, receiver, ids.get(receiver));
  }
  return durations;
}

async function recover(publisher: Publisher, receiver: Receiver, id = ''): Promise<void> {
  receiver.recover();
  if (receiver.kind.name === 'gone') await enable(publisher, id);
}

const LONG_AGO = '2020-01-01T00:00:00Z';

/** Re-enables a receiver like an administrator, after it responded with 410 by mistake. */
async function enable(publisher: Publisher, id: string): Promise<void> {
  await publisher.request('PUT', `/v1/webhooks/${id}`, { disabled: false });
  await publisher.request('POST', `/v1/webhooks/${id}/recover`, { since: LONG_AGO });
}

/** Waits until no event is missing, or until none has arrived for a long time; returns all events. */
async function waitForAll(
  { registry, publisher, receivers }: Place,
  ids: ReadonlyMap<Receiver, string>,
  first: number,
): Promise<CommittedEvent[]> {
  let [arrived, arrived_at] = [0, performance.now()];
  for (;;) {
    const events = (await registry.readEvents()).filter(({ sequence }) => sequence > first);
    const incomplete = receivers.filter((receiver) => findMissing(receiver, events).length > 0);
    if (incomplete.length === 0) return events;
    const total = receivers.reduce((sum, { receipts }) => sum + receipts.size, 0);
    if (total > arrived) [arrived, arrived_at] = [total, performance.now()];
    else if (performance.now() - arrived_at > STALL_MS) return events;
    for (const receiver of incomplete) {
      // Attempts that ended with 410 after the receiver was enabled disable it again.
      if (receiver.kind.name === 'gone') await enable(publisher, ids.get(receiver) ?? '');
    }
    await delay(POLL_INTERVAL_MS);
  }
}

function median(values: readonly number[]): number {
  return Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0);
}
