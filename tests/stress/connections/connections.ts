import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CERT, KEY } from '@catalog/testkit/loopback-certificate';
import { freePort } from '../../../tools/services/free-port.ts';
import { startServeProcess } from '../serve-process.ts';
import type { StressResult, StressSession, StressTest } from '../stress-test.ts';
import type { AttackMessage } from './attacker.ts';
import { getStatus, startCallers } from './callers.ts';

/** Scenarios with one history each; the last part of a seed is the number of the history. */
const SCENARIOS: readonly Scenario[] = [
  ...(['http', 'https', 'management'] as const).flatMap((listener) =>
    [1, 50].map((addresses) => ({ listener, addresses, reader_percent: 2 })),
  ),
  // Slightly more readers than the listener accepts, each of which requests four megabytes.
  { listener: 'http', addresses: 1, reader_percent: 80, max_size: 1200 },
];

interface Scenario {
  listener: 'http' | 'https' | 'management';
  addresses: number;
  reader_percent: number;
  /** Maximum number of hostile connections for any size of the test. */
  max_size?: number;
}

const DESCRIPTORS = 1024;
/** Longer than the deadlines of handshakes and headers. */
const ATTACK_MS = 15_000;
const MAX_P99_MS = 1000;
const BACK_WITHIN_MS = 30_000;
const SHUTDOWN_TIMEOUT_MS = 5000;
/**
 * Time to exit after the grace period for requests: 1 s for the last responses, and 1 s for the
 * store.
 */
const EXIT_MS = 2000;
/** Number of descriptors that the registry opens and keeps after the start. */
const OWN_DESCRIPTORS = 10;
/** Limit of connections from one address without a complete request, plus some for the callers. */
const MAX_OF_ADDRESS = 64 + 40;
const CALLERS = 3;
const PAUSE_MS = 60;
const POLL_INTERVAL_MS = 100;

export const connections: StressTest = {
  name: 'connections',
  summary:
    'Holds n slow, silent, half-closed, half-TLS, abandoned and slow-reading connections from one and ' +
    'from many addresses to the http, https and management listeners of a registry with 1,024 descriptors. ' +
    'Other callers get responses with a p99 below 1 s, all descriptors are free within 30 s, and ' +
    'SIGTERM ends the process within its timeout.',
  n: 2000,
  histories: SCENARIOS.length,
  bugs: 'tests/stress/connections/planted-bugs.json',
  bug_n: 1300,
  timeout_ms: 300_000,
  max_workers: 1,
  open,
};

function open(folder: string, size: number): StressSession {
  async function play(seed: string): Promise<StressResult> {
    const place = join(folder, seed);
    mkdirSync(place, { recursive: true });
    try {
      const scenario = scenarioOf(seed);
      return await playIn(place, scenario, Math.min(size, scenario.max_size ?? size));
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  }
  return {
    play,
    async shrink(seed) {
      const { problems } = await play(seed);
      const steps = [`hold ${size} connections: ${describe(scenarioOf(seed))}`];
      return problems.length === 0 ? undefined : { steps, problems };
    },
  };
}

function scenarioOf(seed: string): Scenario {
  const index = Number(seed.split('-').at(-1)) % SCENARIOS.length;
  const scenario = SCENARIOS[index];
  if (scenario === undefined) throw new Error(`no scenario for ${seed}`);
  return scenario;
}

function describe({ listener, addresses, reader_percent }: Scenario): string {
  return `${listener}, ${addresses} addresses, ${reader_percent} % slow readers`;
}

async function playIn(folder: string, scenario: Scenario, size: number): Promise<StressResult> {
  const registry = await startRegistry(folder, scenario);
  const attackers: ChildProcess[] = [];
  try {
    const problems: string[] = [];
    const before = countDescriptors(registry.process);
    const callers = startCallers(registry.health_urls, CALLERS, PAUSE_MS);
    const first = startAttack(attackers, registry, scenario, size);
    const peak = await watchDescriptors(registry.process, ATTACK_MS);
    const { durations, failures } = await callers.stop();
    const p99 = percentile(durations, 0.99);
    if (failures.length > 0) {
      problems.push(`${failures.length} of ${durations.length} requests failed: ${failures[0]}`);
    }
    if (p99 > MAX_P99_MS) problems.push(`the p99 of other callers is ${Math.round(p99)} ms`);
    const readers = (size * scenario.reader_percent) / 100;
    const ofAddress = MAX_OF_ADDRESS + size / 5 + readers;
    if (scenario.addresses === 1 && peak - before > ofAddress) {
      problems.push(`one address held ${peak - before} connections`);
    }

    const opened = await stopAttack(first);
    const back_ms = await untilBack(registry.process, before + OWN_DESCRIPTORS);
    if (back_ms === undefined) {
      const left = countDescriptors(registry.process) - before;
      problems.push(`${left} descriptors are in use ${BACK_WITHIN_MS / 1000} s after the attack`);
    }

    startAttack(attackers, registry, scenario, Math.ceil(size / 4));
    await delay(3000);
    const exit_ms = await measureExit(registry.process);
    if (exit_ms > SHUTDOWN_TIMEOUT_MS + EXIT_MS) {
      problems.push(`the process did not end within ${Math.round(exit_ms)} ms after SIGTERM`);
    }
    return {
      counts: {
        'hostile connections': opened,
        requests: durations.length,
        'ms of p99, summed': Math.round(p99),
        'descriptors at the peak, summed': peak,
        'ms until free, summed': Math.round(back_ms ?? BACK_WITHIN_MS),
        'ms after SIGTERM, summed': Math.round(exit_ms),
      },
      problems: problems.map((problem) => `${describe(scenario)}: ${problem}`),
    };
  } finally {
    for (const attacker of attackers) attacker.kill('SIGKILL');
    registry.process.kill('SIGKILL');
  }
}

interface Registry {
  process: ChildProcess;
  port: number;
  tls: boolean;
  health_urls: readonly string[];
}

async function startRegistry(folder: string, { listener }: Scenario): Promise<Registry> {
  const tls = listener === 'https';
  const [port, management_port] = [await freePort(), await freePort()];
  const config = join(folder, 'registry.yaml');
  writeFileSync(join(folder, 'cert.pem'), CERT);
  writeFileSync(join(folder, 'key.pem'), KEY);
  writeFileSync(
    config,
    `registry:\n  access_log: false\n${tls ? '  tls: {cert: cert.pem, key: key.pem}\n' : ''}`,
  );
  const health_urls = [port, management_port].map(
    (own) => `${tls ? 'https' : 'http'}://127.0.0.1:${own}/healthz`,
  );
  const child = await startServeProcess({
    folder,
    config,
    port,
    descriptors: DESCRIPTORS,
    env: {
      CATALOG_MANAGEMENT_BIND: `127.0.0.1:${management_port}`,
      CATALOG_SHUTDOWN_TIMEOUT: `${SHUTDOWN_TIMEOUT_MS / 1000}s`,
    },
    isReady: () =>
      getStatus(health_urls[0] ?? '').then(
        (status) => status === 200,
        () => false,
      ),
  });
  // Discards the log, because a full pipe would block the process.
  child.stderr?.resume();
  const attacked = listener === 'management' ? management_port : port;
  return { process: child, port: attacked, tls, health_urls };
}

function startAttack(
  attackers: ChildProcess[],
  { port, tls }: Registry,
  { addresses, reader_percent }: Scenario,
  size: number,
): ChildProcess {
  const attacker = fork(join(import.meta.dirname, 'attacker.ts'), {
    execArgv: ['--conditions=@catalog/source'],
  });
  attackers.push(attacker);
  const hosts = Array.from({ length: addresses }, (_, index) => `127.0.7.${index + 1}`);
  const order = { port, tls, connections: size, addresses: hosts, reader_percent };
  attacker.send(order satisfies AttackMessage);
  return attacker;
}

/** Opens no more connections; the attacker keeps those that are open. */
async function stopAttack(attacker: ChildProcess): Promise<number> {
  const answer = once(attacker, 'message');
  attacker.send('stop' satisfies AttackMessage);
  const [{ opened }]: [{ opened: number }] = await answer.then(([message]) => [message]);
  return opened;
}

function countDescriptors({ pid }: ChildProcess): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

async function watchDescriptors(process: ChildProcess, for_ms: number): Promise<number> {
  let peak = 0;
  for (
    const end = performance.now() + for_ms;
    performance.now() < end;
    await delay(POLL_INTERVAL_MS)
  ) {
    peak = Math.max(peak, countDescriptors(process));
  }
  return peak;
}

/** Returns the time until the process is back at the allowed number of descriptors. */
async function untilBack(process: ChildProcess, allowed: number): Promise<number | undefined> {
  const started = performance.now();
  while (performance.now() - started < BACK_WITHIN_MS) {
    if (countDescriptors(process) <= allowed) return performance.now() - started;
    await delay(POLL_INTERVAL_MS);
  }
  return undefined;
}

async function measureExit(process: ChildProcess): Promise<number> {
  const started = performance.now();
  const exited = once(process, 'exit');
  process.kill('SIGTERM');
  await Promise.race([exited, delay(SHUTDOWN_TIMEOUT_MS + 2 * EXIT_MS)]);
  return performance.now() - started;
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}
