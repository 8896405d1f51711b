import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { allBenchmarks } from '../bench/all-benchmarks.ts';
import type { Benchmark, RunResult } from '../bench/benchmark.ts';
import { formatPage, readPage, toMeasured, type Measured } from '../bench/benchmarks-page.ts';
import { formatResult } from '../bench/format-measurement.ts';
import { provideServers } from './services/provide-servers.ts';

const PAGE = join(import.meta.dirname, '../docs/benchmarks.md');

/**
 * Runs benchmarks. `./dev bench <name> [--n N | --small] [--seed S] [--json]` runs one, `--all [name...]` writes the
 * results to the page, and `--texts` writes only its texts.
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      n: { type: 'string' },
      seed: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      small: { type: 'boolean', default: false },
      texts: { type: 'boolean', default: false },
    },
  });
  const [name] = positionals;
  if (values.texts) return rewriteTexts();
  if (values.all) {
    const named = allBenchmarks.filter(
      (known) => name === undefined || positionals.includes(known.name),
    );
    return withServers(named, () => runAll(values.seed, named, values.n));
  }
  const benchmark = allBenchmarks.find((known) => known.name === name);
  if (!benchmark) {
    const names = allBenchmarks.map((known) => `  ${known.name}: ${known.summary}`).join('\n');
    process.stderr.write(`${name ? `Unknown benchmark "${name}". ` : ''}Available:\n${names}\n`);
    return 2;
  }
  const n = Number(values.n ?? (values.small ? benchmark.small_n : benchmark.n));
  if (!Number.isInteger(n) || n < 1) {
    process.stderr.write('--n must be an integer above 0\n');
    return 2;
  }
  const result = await withServers([benchmark], () => runBenchmark(benchmark, n, values.seed));
  process.stdout.write(values.json ? `${JSON.stringify(result, null, 2)}\n` : formatResult(result));
  // Speed at a small size is meaningless, so only exact benchmarks can fail there.
  return result.met || (values.small && benchmark.is_exact !== true) ? 0 : 1;
}

let stopServers = async (): Promise<void> => undefined;

async function withServers<Result>(
  benchmarks: readonly Benchmark[],
  work: () => Promise<Result>,
): Promise<Result> {
  if (benchmarks.some(({ servers }) => servers === true)) stopServers = await provideServers();
  try {
    return await work();
  } finally {
    await stopServers();
  }
}

async function runBenchmark(benchmark: Benchmark, n: number, seed: string): Promise<RunResult> {
  const folder = mkdtempSync(join(tmpdir(), `catalog-${benchmark.name}-`));
  try {
    const repeat = (times: number): number => (n <= benchmark.small_n ? 1 : times);
    return await benchmark.run({ n, seed, folder, repeat });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runAll(seed: string, benchmarks: readonly Benchmark[], n?: string): Promise<number> {
  const measured = new Map<string, Measured>();
  let met = true;
  for (const benchmark of benchmarks) {
    const result = await runBenchmark(benchmark, Number(n ?? benchmark.n), seed);
    process.stdout.write(formatResult(result));
    measured.set(benchmark.name, toMeasured(benchmark, result, new Date()));
    met &&= result.met;
  }
  // Read last, because another run may have written results in the meantime.
  const known = readPage(readFileSync(PAGE, 'utf8'));
  writeFileSync(PAGE, formatPage(new Map([...known, ...measured]), describeMachine()));
  return met ? 0 : 1;
}

function rewriteTexts(): number {
  const page = readFileSync(PAGE, 'utf8');
  const machine = page.split('\n').find((line) => line.startsWith(MEASURED_ON));
  writeFileSync(PAGE, formatPage(readPage(page), machine ?? describeMachine()));
  return 0;
}

const MEASURED_ON = 'Measured on ';

function describeMachine(): string {
  const { model = 'unknown processor' } = cpus()[0] ?? {};
  const { versions, platform } = process;
  return `${MEASURED_ON}${cpus().length} x ${model}, Node ${versions.node}, ${platform}.`;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void stopServers().finally(() => process.exit(1)));
}
// Exits even if a failed benchmark left something running.
process.exit(await main());
