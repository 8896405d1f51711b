import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { EventBody } from '@catalog/contract/events';
import type { Store } from '@catalog/core/ports/store';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { cpuOf, startRegistryProcess } from '../registry-process.ts';

export interface Setup {
  cert_file: string;
  key_file: string;
  ca_file: string;
  bodies_file: string;
  n: number;
}

export interface Cost {
  wall_ms: number;
  cpu_ms: number;
}

/** The default of `webhooks.receiver_concurrency`. */
export const CONCURRENCY = 8;
export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
/** Share of the deliveries before the measurement starts. */
const WARM_PART = 0.1;

const RECEIVER = join(import.meta.dirname, 'receiver-process.ts');
const BARE_LOOP = join(import.meta.dirname, '../baselines/webhook-loop.mjs');

export async function sendBare(setup: Setup): Promise<Cost> {
  return whileReceiving(setup, async (port) => {
    const { ca_file, bodies_file } = setup;
    const words = [String(port), ca_file, bodies_file, String(CONCURRENCY), SECRET];
    const child = spawn(process.execPath, [BARE_LOOP, ...words], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    await once(child, 'spawn');
    return { pid: child.pid ?? 0, stop: () => end(child) };
  });
}

/** Starts a registry with all events in its store, and one receiver that has received none of them. */
export async function sendFromRegistry(
  setup: Setup,
  home: string,
  env: Readonly<Record<string, string>>,
  fill: (url: string) => Promise<void>,
): Promise<Cost> {
  return whileReceiving(setup, async (port) => {
    await fill(`https://localhost:${port}/hook`);
    const registry = await startRegistryProcess(home, {
      env: {
        CATALOG_EMBEDDING_PROVIDER: 'none',
        CATALOG_CA_FILE: setup.ca_file,
        CATALOG_WEBHOOK_ALLOWED_TARGETS: 'localhost,127.0.0.0/8',
        CATALOG_WEBHOOK_RECEIVER_CONCURRENCY: String(CONCURRENCY),
        ...env,
      },
    });
    return { pid: registry.pid, stop: () => registry.kill() };
  });
}

interface Sender {
  pid: number;
  stop(): Promise<void>;
}

/** Measures a sender from the end of the first tenth of the deliveries to the last one. */
async function whileReceiving(
  { cert_file, key_file, n }: Setup,
  start: (port: number) => Promise<Sender>,
): Promise<Cost> {
  const warm = Math.max(1, Math.round(n * WARM_PART));
  const receiver = fork(RECEIVER, [cert_file, key_file, String(warm), String(n)], {
    execArgv: [],
  });
  let sender: Sender | undefined;
  try {
    const [listening]: { port: number }[] = await once(receiver, 'message');
    const port = listening?.port ?? 0;
    const marks: { at: number; cpu_ms: number }[] = [];
    const ended = Promise.withResolvers<void>();
    receiver.on('message', () => {
      if (sender === undefined) return ended.reject(new Error('n is too small to be measured'));
      if (marks.push({ at: performance.now(), cpu_ms: cpuOf(sender.pid) }) === 2) ended.resolve();
    });
    sender = await start(port);
    await ended.promise;
    const [first, last] = marks;
    if (first === undefined || last === undefined) throw new Error('nothing was measured');
    return { wall_ms: last.at - first.at, cpu_ms: last.cpu_ms - first.cpu_ms };
  } finally {
    await sender?.stop();
    await end(receiver);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

const BATCH_SIZE = 1000;

export async function fillStore(
  store: Store,
  url: string,
  events: readonly EventBody[],
): Promise<void> {
  const created_at = new Date().toISOString();
  await store.transaction(async ({ receivers, outbox }) => {
    const { newest } = await outbox.bounds(ONLY_TENANT);
    await receivers.add(ONLY_TENANT, {
      id: 'bench',
      url,
      secret: SECRET,
      previous_secret: null,
      previous_secret_until: null,
      event_filter: null,
      debounce_ms: null,
      ordered: false,
      disabled_by: null,
      created_at,
      cursor: newest,
      window_end: null,
      paused_until: null,
      failure_count: 0,
      failing_since: null,
      last_delivery: null,
      last_failure: null,
    });
  });
  for (let at = 0; at < events.length; at += BATCH_SIZE) {
    const some = events.slice(at, at + BATCH_SIZE);
    await store.transaction(({ outbox }) => outbox.append(ONLY_TENANT, some));
  }
}
