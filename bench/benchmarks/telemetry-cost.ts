import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { median, resultOfParts, type Benchmark, type Measurement } from '../benchmark.ts';
import {
  CONNECTIONS,
  loadSide,
  ratesAgainst,
  ROUND_SECONDS,
  startHotRegistry,
  takeTurns,
} from '../load-sides.ts';
import { startRegistryProcess, WITHOUT_VECTORS } from '../registry-process.ts';

const STARTS = 9;
/** CPU time without telemetry over CPU time with it. */
const AT_LEAST = { start: 0.8, all: 0.4, tenth: 0.7 };

export const telemetryCost: Benchmark = {
  name: 'telemetry-cost',
  summary:
    'CPU time of a start of `catalog serve`, and of `load_artifact` requests for a hot artifact, with export to an OpenTelemetry collector, compared with the same without export. Runs n rounds of each, alternating.',
  n: 11,
  small_n: 1,
  run: async ({ n, seed, folder, repeat }) => {
    const collector = await startCollector();
    try {
      const parts = [
        await compareStarts(join(folder, 'start'), collector.env, repeat(STARTS)),
        await compareRequests('all traces', join(folder, 'all'), collector.env, {
          seed,
          n,
          at_least: AT_LEAST.all,
        }),
        await compareRequests(
          'one trace in ten',
          join(folder, 'tenth'),
          { ...collector.env, CATALOG_OTLP_SAMPLING_RATIO: '0.1' },
          { seed, n, at_least: AT_LEAST.tenth },
        ),
      ];
      return resultOfParts('telemetry-cost', parts, [
        'baseline: the same build without `telemetry.otlp_endpoint`',
        `start: CPU time until the registry listens, on an empty store, medians of ${STARTS}`,
        `requests: ${CONNECTIONS} connections, rounds of ${ROUND_SECONDS} s, servers on one core, load generator and collector on another; medians over pairs of rounds`,
        `the collector received ${collector.requests()} requests`,
      ]);
    } finally {
      collector.server.close();
    }
  },
};

/** A collector that accepts and discards everything. */
async function startCollector(): Promise<{
  server: Server;
  env: Readonly<Record<string, string>>;
  requests(): number;
}> {
  let requests = 0;
  const server = createServer((incoming, outgoing) => {
    requests += 1;
    incoming.resume().once('end', () => outgoing.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server listens on a port
  const { port } = server.address() as AddressInfo;
  const env = { CATALOG_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
  return { server, env, requests: () => requests };
}

async function compareStarts(
  folder: string,
  env: Readonly<Record<string, string>>,
  runs: number,
): Promise<Measurement> {
  const cpu: { with: number[]; without: number[] } = { with: [], without: [] };
  for (let run = 0; run <= runs; run += 1) {
    for (const side of ['without', 'with'] as const) {
      const home = join(folder, side);
      mkdirSync(home, { recursive: true });
      const registry = await startRegistryProcess(home, { env: side === 'with' ? env : {} });
      // The first start of each side fills the compile cache.
      if (run > 0) cpu[side].push(registry.cpuMs());
      await registry.kill();
    }
  }
  const cpu_ratio = median(cpu.without) / median(cpu.with);
  return {
    name: 'start',
    value: median(cpu.with),
    unit: 'ms CPU',
    baseline: median(cpu.without),
    ratio: null,
    cpu_ratio,
    n: runs,
    goal: `CPU ratio >= ${AT_LEAST.start}`,
    met: cpu_ratio >= AT_LEAST.start,
  };
}

async function compareRequests(
  name: string,
  folder: string,
  env: Readonly<Record<string, string>>,
  { seed, n, at_least }: { seed: string; n: number; at_least: number },
): Promise<Measurement> {
  for (const side of ['with', 'without']) mkdirSync(join(folder, side), { recursive: true });
  const one = await startHotRegistry(join(folder, 'with'), seed, {
    ...WITHOUT_VECTORS,
    ...env,
  });
  const other = await startHotRegistry(join(folder, 'without'), seed, WITHOUT_VECTORS);
  try {
    const sides = { with: loadSide(one), without: loadSide(other) };
    await takeTurns(sides.with, sides.without, n);
    const { ratio, cpu_ratio } = ratesAgainst(sides.with, sides.without);
    return {
      name,
      value: median(sides.with.cpu),
      unit: 'µs CPU per request',
      baseline: median(sides.without.cpu),
      ratio,
      cpu_ratio,
      n,
      goal: `CPU ratio >= ${at_least}`,
      met: cpu_ratio >= at_least,
    };
  } finally {
    await one.stop();
    await other.stop();
  }
}
