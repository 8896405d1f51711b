import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { resultOfParts, type Benchmark, type Measurement } from '../benchmark.ts';
import { fillStore } from '../fill-store.ts';
import { measureSuccess } from '../measure-command.ts';
import { catalogCommand, plainEnvironment } from '../program.ts';

const MAX_SECONDS = 300;

export const restoreTime: Benchmark = {
  name: 'restore-time',
  summary:
    'Time of `catalog admin backup` of a registry with n artifacts, and of `catalog admin restore` into an empty store, including its verification.',
  n: 10_000,
  small_n: 300,
  run: async (context) => {
    const source = join(context.folder, 'source');
    await fillStore(context, source, () => undefined);
    const backup = join(context.folder, 'backup');
    const backed = runAdmin(source, 'backup', backup);
    const target = join(context.folder, 'target');
    mkdirSync(target);
    const restored = runAdmin(target, 'restore', backup);
    return resultOfParts(
      'restore-time',
      [
        measurement('restore-time-backup', context.n, backed),
        measurement('restore-time-restore', context.n, restored),
      ],
      ['from SQLite to a directory, and into a new SQLite file'],
    );
  },
};

function runAdmin(home: string, ...words: string[]): number {
  const options = { cwd: home, env: plainEnvironment(home) };
  return measureSuccess(catalogCommand('admin', ...words), options).wall_ms / 1000;
}

function measurement(name: string, n: number, value: number): Measurement {
  return {
    name,
    value,
    unit: 's',
    baseline: null,
    ratio: null,
    cpu_ratio: null,
    n,
    goal: `value <= ${MAX_SECONDS}`,
    met: value <= MAX_SECONDS,
  };
}
