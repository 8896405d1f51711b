import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compare, measurementOfRatio, type Figure } from '../figure.ts';
import { writeCatalogue } from '../fixtures/catalogue.ts';
import { measureSuccess } from '../measure-command.ts';
import { catalogCommand, plainEnvironment } from '../program.ts';
import { countFiles } from '../tree.ts';

export const syncCold: Figure = {
  name: 'sync-cold',
  summary: 'A sync from a folder into an empty harness-a target, against `cp -r` of the result.',
  kind: 'speed',
  n: 10_000,
  small_n: 500,
  run: ({ n, seed, folder }) => {
    const registry = join(folder, 'registry');
    const target = join(folder, 'target');
    const copy = join(folder, 'copy');
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
    const subject = {
      prepare: () => {
        rmSync(target, { recursive: true, force: true });
        mkdirSync(target);
      },
      run: () => measureSuccess(sync, { env, cwd: folder }),
    };
    // The first copy needs something to copy.
    subject.prepare();
    subject.run();
    const comparison = compare(subject, {
      prepare: () => rmSync(copy, { recursive: true, force: true }),
      run: () => measureSuccess(['cp', '-r', target, copy]),
    });
    return {
      ...measurementOfRatio('sync-cold', n, comparison, 3),
      notes: [
        `registry: ${catalogue.files} files, ${catalogue.bytes} bytes, seed ${seed}`,
        `result: ${countFiles(target)} files`,
        'baseline: cp -r of the result',
      ],
    };
  },
};
