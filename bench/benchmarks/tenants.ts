import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { resultOfParts, median, type Benchmark, type Measurement } from '../benchmark.ts';
import { keepCatalogue } from '../fixtures/pg-catalogue.ts';
import { keepDatabase, type BenchDatabase } from '../pg-database.ts';
import { keepTenants } from '../tenants/fixture.ts';
import { percentilesOf } from '../timed-requests.ts';
import type { TenantRun } from '../tenants/process.ts';

const PROCESS = join(import.meta.dirname, '../tenants/process.ts');
const FEW = 10;
/** Size of the large tenant, as a multiple of one small tenant for each small tenant. */
const LARGE_TENANT = 100;
const ROUNDS = 5;
const REQUESTS = 500;
const AT_MOST_HEAVIER = 1.1;
const AT_MOST_SLOWER = 1.5;

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
    const few = await keepDatabase(`catalog_tenants_${FEW}`);
    await keepTenants(few, { tenants: FEW, seed });
    const many = await keepDatabase(`catalog_tenants_${n}`);
    await keepTenants(many, { tenants: n, seed });
    const { database: neighbor } = await keepCatalogue({ n: n * LARGE_TENANT, seed });
    await keepTenants(neighbor, { tenants: n, seed });
    const sides = {
      few: sideOf(few, FEW, seed),
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
      `neighbor: the same tenants in the database of a tenant with ${n * LARGE_TENANT} artifacts in 60 layers`,
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
    atMost: number,
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
      goal: `ratio <= ${atMost}`,
      met: ratio <= atMost,
    };
  };
  return [
    measure('start', 'ms', (runs) => median(runs.map((each) => each.start_ms)), AT_MOST_HEAVIER),
    measure(
      'memory',
      'MiB',
      (runs) => median(runs.map((each) => each.memory_mib)),
      AT_MOST_HEAVIER,
    ),
    measure('search-p99', 'ms', (runs) => p99(runs, 'search_ms'), AT_MOST_SLOWER),
    measure('load-p99', 'ms', (runs) => p99(runs, 'load_ms'), AT_MOST_SLOWER),
  ];
}

/** Returns the median of all processes, so that one slow moment of the machine does not decide. */
function p99(runs: readonly TenantRun[], what: 'search_ms' | 'load_ms'): number {
  return median(runs.map((each) => percentilesOf(each[what]).p99));
}
