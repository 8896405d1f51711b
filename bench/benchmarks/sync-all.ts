import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adapters } from '@catalog/harness/registry';
import { compare, measurementOfRatio, type Benchmark } from '../benchmark.ts';
import { writeCatalog } from '../fixtures/catalog.ts';
import { measureSuccess } from '../measure-command.ts';
import { catalogCommand, plainEnvironment } from '../program.ts';
import { listFiles } from '../tree.ts';

const BASELINE = join(import.meta.dirname, '../baselines/write-tree.mjs');
const PRELOAD = join(import.meta.dirname, '../peak-memory.ts');
const KIBIBYTES_A_MEBIBYTE = 1024;

export const syncAll: Benchmark = {
  name: 'sync-all',
  summary:
    'A sync into an empty workspace for every harness that uses files, compared with a plain Node program that writes the same bytes.',
  n: 1_000,
  small_n: 100,
  run: ({ n, seed, folder, repeat }) => {
    const registry = join(folder, 'registry');
    const target = join(folder, 'target');
    mkdirSync(target);
    const pack = { list: join(folder, 'pack.json'), bytes: join(folder, 'pack.bin') };
    const writtenCatalog = writeCatalog(registry, { n, seed });
    const harnesses = listHarnesses();
    const selection = [
      '--harness',
      harnesses.join(','),
      '--skip-unsupported',
      '--on-clash',
      'qualify',
    ];
    const words = ['sync', '--quiet', '--registry', registry, ...selection];
    const command = (into: string): string[] => catalogCommand(...words, '--target', into);
    const env = plainEnvironment(folder);
    const peak = measurePeak(command(target), env, folder);
    const bytes = packTree(target, pack);
    // Creates a new folder for each run: a file system is slower when it reuses recently freed
    // space.
    let runs = 0;
    const fresh = (): string => {
      runs += 1;
      const path = join(folder, `run-${runs}`);
      mkdirSync(path);
      return path;
    };
    const measure = (words: readonly string[]) => measureSuccess(words, { env, cwd: folder });
    const comparison = compare(
      { run: () => measure(command(fresh())) },
      { run: () => measure([process.execPath, BASELINE, pack.list, pack.bytes, fresh()]) },
      { repeat },
    );
    return {
      ...measurementOfRatio('sync-all', n, comparison, 2),
      notes: [
        `registry: ${writtenCatalog.files} files, ${writtenCatalog.bytes} bytes, seed ${seed}`,
        `${harnesses.length} harnesses: ${harnesses.join(', ')}`,
        `result: ${listFiles(target).length} files, ${bytes} bytes, including the lock file`,
        `peak memory ${peak} MiB`,
        'baseline: a Node program that reads the same files from one archive and writes each through a temporary file and a rename',
      ],
    };
  },
};

interface Pack {
  list: string;
  bytes: string;
}

/** Lists the harnesses that have workspace files. The canonical layout is not a harness. */
function listHarnesses(): string[] {
  return [...adapters.values()]
    .filter(
      ({ id, capabilities }) => id !== 'none' && Object.values(capabilities).includes('native'),
    )
    .map(({ id }) => id);
}

function measurePeak(command: readonly string[], env: Record<string, string>, cwd: string): string {
  const file = join(cwd, 'peak');
  const [node = '', ...words] = command;
  measureSuccess([node, '--import', PRELOAD, ...words], {
    env: { ...env, PEAK_MEMORY: file },
    cwd,
  });
  return (Number(readFileSync(file, 'utf8')) / KIBIBYTES_A_MEBIBYTE).toFixed(0);
}

function packTree(folder: string, pack: Pack): number {
  const contents: Buffer[] = [];
  let offset = 0;
  const files = listFiles(folder).map((path) => {
    const content = readFileSync(join(folder, path));
    const start = offset;
    contents.push(content);
    offset += content.length;
    return { path, start, end: offset, mode: statSync(join(folder, path)).mode & 0o777 };
  });
  writeFileSync(pack.list, JSON.stringify(files));
  writeFileSync(pack.bytes, Buffer.concat(contents));
  return offset;
}
