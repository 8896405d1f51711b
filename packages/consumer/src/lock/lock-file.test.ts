import * as fc from 'fast-check';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { pathProblem } from '@catalog/core/artifact/safe-path';
import { formatLock } from './format-lock.ts';
import { parseLock } from './read-lock.ts';
import { emptyLock, type LockFile } from './types.ts';

const hash = fc.stringMatching(/^sha256:[0-9a-f]{64}$/);
const word = fc.oneof(
  fc.stringMatching(/^[a-z0-9-]{1,12}$/),
  fc.constantFrom(
    'null',
    'true',
    'no',
    '1',
    '1.5',
    '1e3',
    '.5',
    '-',
    '0x1f',
    '2026-01-01',
    "o'k",
    'a: b',
    '#x',
    '[',
    'ä',
    '~',
  ),
);
const path = fc
  .array(fc.stringMatching(/^[a-z0-9.][a-z0-9]{0,10}$/), { minLength: 1, maxLength: 4 })
  .map((segments) => segments.join('/'))
  .filter((text) => pathProblem(text) === undefined);

const lock: fc.Arbitrary<LockFile> = fc.record({
  targets: fc.uniqueArray(fc.record({ id: word, registry: word, harness: word }), {
    selector: (row) => row.id,
    maxLength: 3,
  }),
  artifacts: fc.uniqueArray(
    fc.record({ target: word, id: word, version: word, layer: word, content_hash: hash }),
    { selector: (row) => `${row.id} ${row.target}`, maxLength: 4 },
  ),
  files: fc.uniqueArray(fc.record({ path, hash, target: word, id: word }), {
    selector: (row) => row.path,
    maxLength: 5,
  }),
  entries: fc.uniqueArray(
    fc.record({
      path,
      shape: fc.constantFrom('array' as const, 'map' as const),
      container: fc.array(word, { maxLength: 2 }),
      key: word,
      hash,
      target: word,
      id: word,
    }),
    { selector: (row) => `${row.path} ${row.key}`, maxLength: 3 },
  ),
  shared: fc.uniqueArray(
    fc.record({
      path,
      created: fc.array(fc.array(word, { maxLength: 2 }), { maxLength: 2 }),
      opened: fc.constant([]),
    }),
    { selector: (row) => row.path, maxLength: 2 },
  ),
  pre_existing: fc.uniqueArray(
    fc.record(
      { path, at: fc.array(word, { minLength: 1, maxLength: 2 }), target: word, id: word },
      { requiredKeys: ['path', 'target', 'id'] },
    ),
    { selector: (row) => row.path, maxLength: 2 },
  ),
  directories: fc.uniqueArray(path, { maxLength: 2 }),
  toggles: fc.record({ add: fc.uniqueArray(word), remove: fc.uniqueArray(word) }),
});

function sorted(value: LockFile): LockFile {
  const by = <T>(rows: T[], key: (row: T) => string): T[] =>
    rows.toSorted((a, b) => Buffer.compare(Buffer.from(key(a)), Buffer.from(key(b))));
  return {
    targets: by(value.targets, (row) => row.id),
    artifacts: by(value.artifacts, (row) => `${row.id}\0${row.target}`),
    files: by(value.files, (row) => row.path),
    entries: by(value.entries, (row) => `${row.path}\0${row.key}`),
    shared: by(value.shared, (row) => row.path),
    pre_existing: by(value.pre_existing, (row) => row.path),
    directories: by(value.directories, (row) => row),
    toggles: {
      add: by(value.toggles.add, (row) => row),
      remove: by(value.toggles.remove, (row) => row),
    },
  };
}

describe('the lock file', () => {
  test('reads back as it was written, whatever the words in it, sorted', () => {
    fc.assert(
      fc.property(lock, (value) => {
        expect(parseLock(formatLock(value), 'sync.lock')).toEqual(sorted(value));
      }),
    );
  });

  test('is one line a row, so that a diff shows what changed', () => {
    const value = emptyLock();
    value.files = [
      { path: 'b', hash: `sha256:${'0'.repeat(64)}`, target: 'default', id: 'x/b' },
      {
        path: 'a',
        hash: `sha256:${'1'.repeat(64)}`,
        executable: true,
        target: 'default',
        id: 'x/a',
      },
    ];
    const lines = formatLock(value)
      .split('\n')
      .filter((line) => line.startsWith('  - '));
    expect(lines).toEqual([
      `  - {path: a, hash: sha256:${'1'.repeat(64)}, executable: true, target: default, id: x/a}`,
      `  - {path: b, hash: sha256:${'0'.repeat(64)}, target: default, id: x/b}`,
    ]);
    expect(load(formatLock(value))).toMatchObject({ version: 1 });
  });

  test.each([
    ['a path out of the target', 'files: [{path: ../../.ssh/id_rsa, hash: x, target: t, id: i}]'],
    ['an absolute path', 'files: [{path: /etc/passwd, hash: x, target: t, id: i}]'],
    ['a folder out of the target', 'directories: [..]'],
    ['a shared file out of the target', 'shared: [{path: ../x, created: [], opened: []}]'],
    [
      'an entry out of the target',
      'entries: [{path: ../x, shape: map, container: [], key: k, hash: h, target: t, id: i}]',
    ],
    ['a version it does not know', 'version: 2'],
    ['something that is not a lock', 'files: 3'],
    ['broken YAML', 'files: ['],
  ])('refuses %s', (_name, line) => {
    const [key] = line.split(':');
    const text = formatLock(emptyLock())
      .split('\n')
      .filter((other) => !other.startsWith(`${key}:`))
      .join('\n');
    expect(() => parseLock(`${text}\n${line}\n`, 'sync.lock')).toThrow(CatalogError);
  });
});
