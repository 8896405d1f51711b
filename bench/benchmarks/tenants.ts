import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { resultOfParts, median, type Benchmark, type Measurement } from '../benchmark.ts';
import { loadCatalog } from '../fixtures/pg-catalog.ts';
import { openKeptDatabase, type BenchDatabase } from '../pg-database.ts';
import { keepTenants } from '../tenants/fixture.ts';
import { percentilesOf } from '../timed-requests.ts';
import type { TenantRun } from '../tenants/process.ts';

const PROCESS = join(import.meta.dirname, '../tenants/process.ts');
const BASELINE_TENANTS = 10;
/** Size of the large tenant, as a multiple of a small one, for each small tenant. */
const LARGE_TENANT_FACTOR = 100;
const ROUNDS = 5;
const REQUESTS = 500;
const MAX_MEMORY_RATIO = 1.1;
const MAX_TIME_RATIO = 1.5;

const run = promisify(execFile);

export const tenants: Benchmark = {
  name: 'tenants',
  summary:
    'A process that serves small tenants of 20 artifacts, with ten and with n tenants in the database. Compares startup, memory, and the p99 of searches and loads through the store, alone and next to a tenant with a hundred times n artifacts.',
  servers: true,
  n: 10_000,
  small_n: 20,
  run: async ({ n, seed, repeat }) => {
    const rounds = repeat(ROUNDS);
    const few = await openKeptDatabase(`catalog_tenants_${BASELINE_TENANTS}`);
    await keepTenants(few, { tenants: BASELINE_TENANTS, seed });
    const many = await openKeptDatabase(`catalog_tenants_${n}`);
    await keepTenants(many, { tenants: n, seed });
    const { database: neighbor } = await loadCatalog({ n: n * LARGE_TENANT_FACTOR, seed });
    await keepTenants(neighbor, { tenants: n, seed });
    const sides = {
      few: sideOf(few, BASELINE_TENANTS, seed),
      many: sideOf(many, n, seed),
      neighbor: sideOf(neighbor, n, seed),
    };
    for (let round = 0; round <= rounds; round += 1) {
      for (const side of Object.values(sides)) await side.next(round > 0);
    }
    const parts = (['many', 'neighbor'] as const).flatMap((name) =>
      compareSides(name, n, sides[name].runs, sides.few.runs),
    );
    return resultOfParts('tenants', parts, [
      `baseline: ten tenants in a database of their own; ${rounds} processes each, in turns, ${REQUESTS} searches and loads of random tenants in each`,
      `neighbor: the same tenants in the database of a tenant with ${n * LARGE_TENANT_FACTOR} artifacts in 60 layers`,
    ]);
  },
};

interface Side {
  runs: TenantRun[];
  next(counts: boolean): Promise<void>;
}

function sideOf({ dsn }: BenchDatabase, count: number, seed: string): Side {
  const runs: TenantRun[] = [];
  const words = ['--expose-gc', '--conditions=@catalog/source', PROCESS, dsn];
  return {
    runs,
    async next(counts) {
      const { stdout } = await run(process.execPath, [
        ...words,
        String(count),
        String(REQUESTS),
        seed,
      ]);
      if (counts) runs.push(JSON.parse(stdout));
    },
  };
}

function compareSides(
  name: string,
  n: number,
  subject: readonly TenantRun[],
  baseline: readonly TenantRun[],
): Measurement[] {
  const measure = (
    what: string,
    unit: string,
    of: (runs: readonly TenantRun[]) => number,
    maxRatio: number,
  ): Measurement => {
    const [value, bare] = [of(subject), of(baseline)];
    const ratio = value / bare;
    return {
      name: `tenants-${name}-${what}`,
      value,
      unit,
      baseline: bare,
      ratio,
      cpu_ratio: null,
      n,
      goal: `ratio <= ${maxRatio}`,
      met: ratio <= maxRatio,
    };
  };
  return [
    measure('start', 'ms', (runs) => median(runs.map((each) => each.start_ms)), MAX_MEMORY_RATIO),
    measure(
      'memory',
      'MiB',
      (runs) => median(runs.map((each) => each.memory_mib)),
      MAX_MEMORY_RATIO,
    ),
    measure('search-p99', 'ms', (runs) => p99(runs, 'search_ms'), MAX_TIME_RATIO),
    measure('load-p99', 'ms', (runs) => p99(runs, 'load_ms'), MAX_TIME_RATIO),
  ];
}

/** Returns the median over all processes, so that one slow moment does not decide. */
function p99(runs: readonly TenantRun[], what: 'search_ms' | 'load_ms'): number {
  return median(runs.map((each) => percentilesOf(each[what]).p99));
}
