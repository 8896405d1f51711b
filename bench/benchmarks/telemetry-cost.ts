import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { listenForOtlp } from '@catalog/testkit/otlp-listener';
import { median, resultOfParts, type Benchmark, type Measurement } from '../benchmark.ts';
import {
  CONNECTIONS,
  loadSide,
  ratesAgainst,
  ROUND_SECONDS,
  startHotRegistry,
  runAlternating,
  type LoadSide,
} from '../load-sides.ts';
import { startRegistryProcess, WITHOUT_VECTORS } from '../registry-process.ts';

type Environment = Readonly<Record<string, string>>;

const STARTS = 9;
/** Minimum CPU time of the baseline, divided by that of the subject. */
const MIN_RATIOS = { start: 0.8, all: 0.4, tenth: 0.7, tenth_of_all: 1 };

export const telemetryCost: Benchmark = {
  name: 'telemetry-cost',
  summary:
    'CPU time of a start of `catalog serve`, and of `load_artifact` requests for a hot artifact, with export to an OpenTelemetry collector, compared with the same without export. Runs n rounds of each, alternating.',
  n: 11,
  small_n: 1,
  run: async ({ n, seed, folder, repeat }) => {
    let exports = 0;
    const collector = await listenForOtlp(() => {
      exports += 1;
      return 200;
    });
    const env = { CATALOG_OTLP_ENDPOINT: collector.url };
    try {
      const parts = [
        await compareStarts(join(folder, 'start'), env, repeat(STARTS)),
        ...(await compareRequests(join(folder, 'requests'), env, { seed, n })),
      ];
      return resultOfParts('telemetry-cost', parts, [
        'baseline: the same build without `telemetry.otlp_endpoint`; of the last part, the same build that records all traces',
        `start: CPU time until the registry listens, on an empty store, medians of ${STARTS}`,
        `requests: ${CONNECTIONS} connections, rounds of ${ROUND_SECONDS} s, servers on one core, load generator and collector on another; medians over rounds next to each other`,
        `the collector received ${exports} requests`,
      ]);
    } finally {
      collector.close();
    }
  },
};

async function compareStarts(folder: string, env: Environment, runs: number): Promise<Measurement> {
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
    goal: `CPU ratio >= ${MIN_RATIOS.start}`,
    met: cpu_ratio >= MIN_RATIOS.start,
  };
}

/** Alternates registries that export no traces, all traces, and one trace in ten. */
async function compareRequests(
  folder: string,
  env: Environment,
  { seed, n }: { seed: string; n: number },
): Promise<Measurement[]> {
  const stops: (() => Promise<void>)[] = [];
  async function open(name: string, more: Environment): Promise<LoadSide> {
    const registry = await startHotRegistry(join(folder, name), seed, {
      ...WITHOUT_VECTORS,
      ...more,
    });
    stops.push(() => registry.stop());
    return loadSide(registry);
  }
  function part(
    name: string,
    subject: LoadSide,
    baseline: LoadSide,
    at_least: number,
  ): Measurement {
    const { ratio, cpu_ratio } = ratesAgainst(subject, baseline);
    return {
      name,
      value: median(subject.cpu),
      unit: 'µs CPU per request',
      baseline: median(baseline.cpu),
      ratio,
      cpu_ratio,
      n,
      goal: `CPU ratio >= ${at_least}`,
      met: cpu_ratio >= at_least,
    };
  }
  try {
    const without = await open('without', {});
    const all = await open('all', env);
    const tenth = await open('tenth', { ...env, CATALOG_OTLP_SAMPLING_RATIO: '0.1' });
    await runAlternating([all, tenth, without], n);
    return [
      part('all traces', all, without, MIN_RATIOS.all),
      part('one trace in ten', tenth, without, MIN_RATIOS.tenth),
      part('one trace in ten against all', tenth, all, MIN_RATIOS.tenth_of_all),
    ];
  } finally {
    for (const stop of stops) await stop();
  }
}
