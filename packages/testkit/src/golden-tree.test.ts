import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { goldenDifferences, listCopies, type GoldenFile } from './golden-tree.ts';
import { temporaryFolder } from './temporary-folder.ts';

function file(text: string, executable = false): GoldenFile {
  return { bytes: new TextEncoder().encode(text), executable };
}

function writeTree(tree: ReadonlyMap<string, GoldenFile>): string {
  const folder = join(temporaryFolder(), 'golden');
  vi.stubEnv('CATALOG_GOLDEN', 'write');
  goldenDifferences(folder, tree);
  vi.unstubAllEnvs();
  vi.stubEnv('CATALOG_GOLDEN', undefined);
  return folder;
}

const tree = new Map([
  ['a.md', file('a')],
  ['run.sh', file('run', true)],
]);

test('goldenDifferences returns nothing for the tree that was written', () => {
  expect(goldenDifferences(writeTree(tree), tree)).toEqual([]);
});

test.each<[string, (folder: string) => void, string]>([
  ['a missing file', (folder) => rmSync(join(folder, 'a.md')), 'a.md is new'],
  ['an extra file', (folder) => writeFileSync(join(folder, 'b.md'), 'b'), 'b.md is gone'],
  ['other bytes', (folder) => writeFileSync(join(folder, 'a.md'), 'b'), 'a.md has other bytes'],
  ['another mode', (folder) => chmodSync(join(folder, 'run.sh'), 0o644), 'run.sh has another mode'],
])('goldenDifferences reports %s', (_what, change, difference) => {
  const folder = writeTree(tree);
  change(folder);
  expect(goldenDifferences(folder, tree)).toEqual([difference]);
});

test('listCopies lists a file with the same bytes as a fixture file or an earlier kept file', () => {
  const fixture = new Map([['everything/a.md', file('a').bytes]]);
  const split = listCopies(
    new Map([
      ['one', new Map([...tree, ['b.md', file('run')]])],
      [
        'two',
        new Map([
          ['c.sh', file('run')],
          ['d.md', file('a', true)],
          ['e.md', file('e')],
        ]),
      ],
    ]),
    fixture,
  );
  expect(split).toEqual(
    new Map([
      [
        'one',
        {
          files: new Map([['run.sh', file('run', true)]]),
          copies: ['644 a.md = everything/a.md', '644 b.md = one/run.sh'],
        },
      ],
      [
        'two',
        {
          files: new Map([['e.md', file('e')]]),
          copies: ['644 c.sh = one/run.sh', '755 d.md = everything/a.md'],
        },
      ],
    ]),
  );
});
