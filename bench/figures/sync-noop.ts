import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { compare, measurementOfRatio, type Figure } from '../figure.ts';
import { writeCatalogue } from '../fixtures/catalogue.ts';
import { measureSuccess } from '../measure-command.ts';
import { catalogCommand, plainEnvironment } from '../program.ts';
import { countFiles } from '../tree.ts';

const WALK = join(import.meta.dirname, '../baselines/stat-walk.mjs');

export const syncNoop: Figure = {
  name: 'sync-noop',
  summary:
    'A sync when nothing changed, against a bare Node walk that stats every file of both trees.',
  kind: 'speed',
  n: 10_000,
  small_n: 500,
  run: ({ n, seed, folder }) => {
    const registry = join(folder, 'registry');
    const target = join(folder, 'target');
    mkdirSync(target);
    const catalogue = writeCatalogue(registry, { n, seed });
    const env = plainEnvironment(folder);
    const sync = catalogCommand(
      'sync',
      '--registry',
      registry,
      '--harness',
      'harness-a',
      '--target',
      target,
    );
    measureSuccess(sync, { env, cwd: folder });
    const comparison = compare(
      { run: () => measureSuccess(sync, { env, cwd: folder }) },
      { run: () => measureSuccess([process.execPath, WALK, registry, target], { env }) },
    );
    return {
      ...measurementOfRatio('sync-noop', n, comparison, 2),
      notes: [
        `registry: ${catalogue.files} files, ${catalogue.bytes} bytes, seed ${seed}`,
        `target: ${countFiles(target)} files`,
        'baseline: node bench/baselines/stat-walk.mjs over both',
      ],
    };
  },
};
