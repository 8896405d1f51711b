import { fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServerAnswer, ServerRequest } from '../fixtures/event-server.ts';
import type { ReadersAnswer, ReadersRequest } from '../fixtures/event-readers.ts';
import { median, type Benchmark, type Measurement } from '../benchmark.ts';

const MAX_DELAY_MS = 250;
const EVENTS = 100;
/** Number of events: more than the kernel buffers for a connection without a reader. */
const FLOOD = 30_000;
const FLOOD_STEP = 500;

export const eventsFanout: Benchmark = {
  name: 'events-fanout',
  summary:
    "Time from an event's commit to its arrival at the last subscriber of one process, compared with a plain loop that writes the line to as many responses. Then the same with one subscriber that reads nothing.",
  n: 5000,
  small_n: 200,
  run: async ({ n, folder }) => {
    const bare = await withReaders(n, ['bare'], timeEvents);
    const registry = await measureRegistry(n, folder);
    const parts = [
      part('events-fanout', n, registry.alone, bare),
      part('events-fanout-slow-subscriber', n, registry.beside_slow, bare),
    ];
    const [main] = parts;
    if (main === undefined) throw new RangeError('nothing was measured');
    return {
      ...main,
      met: parts.every(({ met }) => met),
      parts,
      notes: [
        `p50 ${describe(registry.alone)}; bare ${describe(bare)}; ` +
          `with a slow subscriber ${describe(registry.beside_slow)}`,
        `memory per subscriber: ${(registry.bytes_per_reader / 1024).toFixed(1)} KiB`,
        `a subscriber that read nothing during ${FLOOD} events used ` +
          `${(registry.bytes_for_slow / 1024).toFixed(0)} KiB, then received all of them in order`,
      ],
    };
  },
};

function part(name: string, n: number, timing: Timing, bare: Timing): Measurement {
  const value = p99(timing);
  const baseline = p99(bare);
  return {
    name,
    value,
    unit: 'ms',
    baseline,
    ratio: value / baseline,
    cpu_ratio: timing.cpu_ms / bare.cpu_ms,
    n,
    goal: `value <= ${MAX_DELAY_MS}`,
    met: value <= MAX_DELAY_MS,
  };
}

function describe({ times_ms, cpu_ms }: Timing): string {
  return `${median(times_ms).toFixed(1)} ms (${cpu_ms.toFixed(1)} ms of CPU)`;
}

function p99({ times_ms }: Timing): number {
  const sorted = times_ms.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
}

interface Session {
  server: Child<ServerRequest, ServerAnswer>;
  readers: Child<ReadersRequest, ReadersAnswer>;
  port: number;
  delivered: number;
}

async function withReaders<Result>(
  n: number,
  words: readonly string[],
  measure: (session: Session, empty: Usage) => Promise<Result>,
): Promise<Result> {
  const server = startChild<ServerRequest, ServerAnswer>('event-server.ts', ...words);
  const readers = startChild<ReadersRequest, ReadersAnswer>('event-readers.ts');
  try {
    const { port } = await server.next('listening');
    const session = { server, readers, port, delivered: 0 };
    const empty = await usageOf(session);
    readers.send({ kind: 'open', port, count: n });
    await readers.next('opened');
    return await measure(session, empty);
  } finally {
    server.end();
    readers.end();
  }
}

interface RegistryRun {
  alone: Timing;
  beside_slow: Timing;
  bytes_per_reader: number;
  bytes_for_slow: number;
}

function measureRegistry(n: number, folder: string): Promise<RegistryRun> {
  return withReaders(n, ['registry', folder], async (session, empty) => {
    const { readers, port } = session;
    const open = await usageOf(session);
    const alone = await timeEvents(session);
    // A flood without the slow reader measures the memory that the events themselves need.
    const kept_without = await growthOfFlood(session);
    readers.send({ kind: 'stall', port });
    await readers.next('stalled');
    const kept_with = await growthOfFlood(session);
    const with_slow_reader = await timeEvents(session);
    readers.send({ kind: 'resume' });
    checkSlow(await readers.next('resumed'));
    return {
      alone,
      beside_slow: with_slow_reader,
      bytes_per_reader: (open.rss_bytes - empty.rss_bytes) / n,
      bytes_for_slow: Math.max(0, kept_with - kept_without),
    };
  });
}

/** Time from an event to its last reader, and CPU time of the server per event. */
interface Timing {
  times_ms: number[];
  cpu_ms: number;
}

async function timeEvents(session: Session): Promise<Timing> {
  const times_ms: number[] = [];
  const before = await usageOf(session);
  while (times_ms.length < EVENTS) {
    times_ms.push(await publishToAll(session));
    await delay(10);
  }
  const after = await usageOf(session);
  return { times_ms, cpu_ms: (after.cpu_ms - before.cpu_ms) / EVENTS };
}

async function publishToAll(session: Session): Promise<number> {
  const published_ms = await publish(session, 'layer.ingested', 1);
  const { number, at_ms } = await session.readers.next('arrived');
  session.delivered += 1;
  if (number !== session.delivered)
    throw new Error(`event ${number} came for ${session.delivered}`);
  return at_ms - published_ms;
}

/** Publishes events that only the reader of all events gets, and returns the growth of memory. */
async function growthOfFlood(session: Session): Promise<number> {
  const before = await usageOf(session);
  for (let sent = 0; sent < FLOOD; sent += FLOOD_STEP) {
    await publish(session, 'artifact.published', FLOOD_STEP);
  }
  // The flood is over when all other readers have this event.
  await publishToAll(session);
  return (await usageOf(session)).used_bytes - before.used_bytes;
}

async function publish(
  { server }: Session,
  name: Extract<ServerRequest, { kind: 'publish' }>['name'],
  count: number,
): Promise<number> {
  server.send({ kind: 'publish', name, count });
  return (await server.next('published')).at_ms;
}

type Usage = Extract<ServerAnswer, { kind: 'usage' }>;

async function usageOf({ server }: Pick<Session, 'server'>): Promise<Usage> {
  server.send({ kind: 'usage' });
  return server.next('usage');
}

function checkSlow(found: Extract<ReadersAnswer, { kind: 'resumed' }>): void {
  const expected = FLOOD + 1 + EVENTS;
  if (found.lines !== expected || found.gaps > 0 || found.out_of_order > 0) {
    throw new Error(`the slow reader had ${JSON.stringify(found)} of ${expected} events`);
  }
}

interface Child<Request, Answer extends { kind: string }> {
  send(request: Request): void;
  next<Kind extends Answer['kind']>(kind: Kind): Promise<Extract<Answer, { kind: Kind }>>;
  end(): void;
}

function startChild<Request extends object, Answer extends { kind: string }>(
  file: string,
  ...words: string[]
): Child<Request, Answer> {
  const child = fork(join(import.meta.dirname, '../fixtures', file), words, {
    execArgv: ['--conditions=@catalog/source', '--expose-gc'],
  });
  const waiting: Answer[] = [];
  let wake = (): void => {};
  child.on('message', (answer: Answer) => {
    waiting.push(answer);
    wake();
  });
  child.on('exit', () => wake());
  return {
    send: (request) => void child.send(request),
    async next(kind) {
      for (;;) {
        const index = waiting.findIndex((answer) => answer.kind === kind);
        const [answer] = index === -1 ? [] : waiting.splice(index, 1);
        if (answer !== undefined && isOf(answer, kind)) return answer;
        if (child.exitCode !== null) throw new Error(`${file} ended with ${child.exitCode}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    end: () => void child.kill(),
  };
}

function isOf<Answer extends { kind: string }, Kind extends string>(
  answer: Answer,
  kind: Kind,
): answer is Extract<Answer, { kind: Kind }> {
  return answer.kind === kind;
}
