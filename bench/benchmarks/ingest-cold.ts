import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compare, measurementOfRatio, type Benchmark } from '../benchmark.ts';
import { writeCatalog } from '../fixtures/catalog.ts';
import { measureSuccess, type CommandRun } from '../measure-command.ts';

const TRIAL = join(import.meta.dirname, '../ingest-trial.ts');
const BARE_LOOP = join(import.meta.dirname, '../baselines/ingest-loop.mjs');
const STORE = '.catalog/standalone/catalog.db';

export const ingestCold: Benchmark = {
  name: 'ingest-cold',
  summary:
    'First ingest of a directory by a running registry, from request to report, compared with a Node process that reads and hashes the same files and inserts the same rows in one transaction.',
  n: 10_000,
  small_n: 500,
  run: ({ n, seed, folder, repeat }) => {
    const catalog = join(folder, 'catalogue');
    const written = writeCatalog(catalog, { n, seed });
    const home = join(folder, 'home');
    const subject = {
      prepare: () => {
        rmSync(home, { recursive: true, force: true });
        mkdirSync(home);
      },
      run: () => {
        const run = measureInside([
          process.execPath,
          '--conditions=@catalog/source',
          TRIAL,
          catalog,
          home,
        ]);
        if (run.printed['accepted'] !== n) throw new Error(`of ${n} artifacts: ${run.stdout}`);
        return run;
      },
    };
    subject.prepare();
    subject.run();
    const ingested = join(folder, 'ingested.db');
    cpSync(join(home, STORE), ingested);
    const bare = join(folder, 'bare');
    let inserted = 0;
    const baseline = {
      prepare: () => {
        rmSync(bare, { recursive: true, force: true });
        mkdirSync(bare);
      },
      run: () => {
        const run = measureInside([
          process.execPath,
          BARE_LOOP,
          catalog,
          ingested,
          join(bare, 'bare.db'),
        ]);
        inserted = run.printed['inserted'] ?? 0;
        return run;
      },
    };
    const comparison = compare(subject, baseline, { repeat });
    return {
      ...measurementOfRatio('ingest-cold', n, comparison, 3),
      notes: [
        `source: ${written.files} files, ${written.bytes} bytes, seed ${seed}`,
        `store: ${inserted} rows`,
        'baseline: node bench/baselines/ingest-loop.mjs, with the rows in memory before the measurement starts',
        'process startup is not included on either side',
      ],
    };
  },
};

function measureInside(
  command: readonly string[],
): CommandRun & { printed: Record<string, number> } {
  const run = measureSuccess(command);
  const report: Record<string, number> = JSON.parse(run.stdout);
  const { wall_ms = 0, cpu_ms = 0 } = report;
  return { ...run, wall_ms, cpu_ms, printed: report };
}
