import * as fc from 'fast-check';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { pathProblem } from '@catalog/core/artifact/safe-path';
import { formatLock } from './format-lock.ts';
import { MAX_LINES, readLockLines } from './lock-lines.ts';
import { MAX_LOCK_BYTES, parseLock } from './read-lock.ts';
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
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 4 }),
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

function readValues(text: string): Record<string, unknown> | undefined {
  const values: Record<string, unknown> = {};
  const lists: Record<string, unknown[]> = {};
  const line = readLockLines(text, {
    onValue: (key, value) => {
      values[key] = value;
    },
    onItem: (key, item) => {
      lists[key] = [...(lists[key] ?? []), item];
    },
  });
  return line === undefined ? { ...values, ...lists } : undefined;
}

const ROW = `{path: a/b, hash: sha256:${'0'.repeat(64)}, target: default, id: x/b}`;

function lockWith(row = ROW): string {
  return formatLock(emptyLock()).replace('files: []', `files:\n  - ${row}`);
}

function longLock(bytes: number): string {
  const files = Array.from({ length: Math.ceil(bytes / 190) }, (_, index) => ({
    path: `.cursor/skills/some-skill-${index}/references/a-page-about-${index}.md`,
    hash: `sha256:${'0'.repeat(64)}`,
    target: 'default',
    id: `some-domain/skills/some-skill-${index}`,
  }));
  const text = formatLock({ ...emptyLock(), files });
  expect(text.length).toBeGreaterThanOrEqual(bytes);
  return text;
}

const PIECES = [
  ...' \n\r\t:,-#"\'[]{}\\.~!&*|>%@`01eExo_+nTyü\u0085\u2028\ufeff\0'.split(''),
  ...'  - | --- | ... | [] | {} | null | True | .5 | .inf | 1e3 | 0x1 | <<:  | \\u0041'.split(
    ' | ',
  ),
  ...'\\x41 | a: b | \n   | \n     | files: | a: | : | , |  # | # c'.split(' | '),
];

const MARKERS = ['<<<<<<< HEAD', '||||||| 1a2b3c4', '=======', '>>>>>>> main', '=======\r'];

describe('lock file', () => {
  test('the line reader returns the same values as a YAML parser', () => {
    fc.assert(
      fc.property(lock, (value) => {
        const text = formatLock(value);
        expect(readValues(text)).toEqual(load(text));
        expect(readValues(text.replaceAll('\n', '\r\n'))).toEqual(load(text));
      }),
    );
  });

  test.each(
    'true True TRUE false null Null NULL ~ y no .inf .Inf -.inf .nan .NaN .5 1 01 1.5 1e3 0x1f 1_0 1.2.3'.split(
      ' ',
    ),
  )('gives the plain value %s the same meaning as YAML', (value) => {
    const text = lockWith(`{path: a, unknown: ${value}}`);
    const values = readValues(text);
    if (values !== undefined) expect(values).toEqual(load(text));
  });

  test('never has another meaning than in YAML after random changes', () => {
    const piece = fc.constantFrom(...PIECES);
    const change = fc.record({ at: fc.nat(), remove: fc.nat({ max: 3 }), piece });
    let accepted = 0;
    fc.assert(
      fc.property(lock, fc.array(change, { minLength: 1, maxLength: 3 }), (value, changes) => {
        let text = formatLock(value);
        for (const { at, remove, piece: added } of changes) {
          const start = at % (text.length + 1);
          text = text.slice(0, start) + added + text.slice(start + remove);
        }
        const values = readValues(text);
        if (values === undefined) return;
        accepted += 1;
        expect(values).toEqual(load(text));
      }),
      { numRuns: 1500 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  test.each([
    ['CRLF line ends', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a byte order mark', (text: string) => `\ufeff${text}`],
    ['blank lines', (text: string) => text.replaceAll('\n', '\n\n  \n')],
    ['comments', (text: string) => text.replaceAll('\n', ' # ü\n# a comment: x\n  # too\n')],
    ['no newline at the end', (text: string) => text.trimEnd()],
    ['spaces in brackets', (text: string) => text.replace(/\{(.*)\}/g, '{ $1 }')],
    ['no spaces after commas', (text: string) => text.replaceAll(', ', ',')],
    ['a key of a newer release', (text: string) => text.replace('{path', '{new: [1, true], path')],
    ['a list of a newer release', (text: string) => `${text}new:\n  - {a: [[b]]}\n  - c\n`],
    ['another order', (text: string) => text.split('\n').toReversed().join('\n')],
    ['a list on one line', (text: string) => text.replace(/^files:\n {2}- (.*)/m, 'files: [$1]')],
  ])('the line reader accepts %s', (name, edit) => {
    const text = name === 'another order' ? formatLock(emptyLock()) : lockWith();
    expect(readValues(edit(text))).toEqual(load(edit(text)));
    expect(parseLock(edit(text), 'sync.lock')).toEqual(parseLock(text, 'sync.lock'));
  });

  test('accepts any form of YAML up to a size limit', () => {
    const block = lockWith().replace(ROW, ROW.slice(1, -1).replaceAll(', ', '\n    '));
    const quoted = lockWith(ROW.replace('default', "'default'"));
    for (const text of [block, quoted]) {
      expect(readValues(text)).toBeUndefined();
      expect(parseLock(text, 'sync.lock')).toEqual(parseLock(lockWith(), 'sync.lock'));
      expect(() => parseLock(`${text}${'# more\n'.repeat(40_000)}`, 'sync.lock')).toThrow(
        'is not in the format that catalog writes (line 6).',
      );
    }
  });

  test.each(MARKERS)('has a separate error for the conflict marker %j', (marker) => {
    const text = lockWith().replace(`  - ${ROW}`, `  - ${ROW}\n${marker}\n  - ${ROW}`);
    for (const more of ['', '# more\n'.repeat(40_000)]) {
      expect(() => parseLock(text + more, 'sync.lock')).toThrow(
        expect.objectContaining({
          code: 'materialize.target_invalid',
          message: 'The lock sync.lock has an unresolved merge conflict at line 7.',
          suggested_action: expect.stringContaining('git checkout --ours'),
        }),
      );
    }
  });

  test('reads 20 MB in less than 1 s', () => {
    const text = longLock(20_000_000);
    const start = process.threadCpuUsage();
    expect(parseLock(text, 'sync.lock').files.length).toBeGreaterThan(100_000);
    const { user, system } = process.threadCpuUsage(start);
    expect((user + system) / 1e6).toBeLessThan(1);
  });

  test('stops reading at the first invalid row', () => {
    const rows = `  - ${ROW}\n`.repeat(3);
    const bad = '  - {path: ../x, hash: h, target: t, id: i}\n';
    const text = lockWith(`${ROW}\n${rows}${bad}${rows}`);
    expect(() => parseLock(`${text}\0`, 'sync.lock')).toThrow('the segment .. (line 10).');
  });

  test.each(['\n', '#\n', '  - a\n'])('rejects a lock with too many lines of %j', (line) => {
    const long = `version: 1\ndirectories:\n${line.repeat(MAX_LINES)}`;
    expect(() => parseLock(long, 'sync.lock')).toThrow('has more than 500000 lines.');
  });

  test('reads paths of 500 folders about as fast as ordinary ones', () => {
    const files = Array.from({ length: 9_000 }, (_, index) => ({
      path: `.cursor/${index}/${'a/'.repeat(500)}x`,
      hash: `sha256:${'0'.repeat(64)}`,
      target: 'default',
      id: 'a/b',
    }));
    const text = formatLock({ ...emptyLock(), files });
    const start = process.threadCpuUsage();
    expect(parseLock(text, 'sync.lock').files).toHaveLength(9_000);
    const { user, system } = process.threadCpuUsage(start);
    // 10 MB. Takes 2.4 s if each folder of each path costs as much as a path.
    expect((user + system) / 1e6).toBeLessThan(1.6);
  });

  test('rejects a lock that exceeds the size limit or has an endless line', () => {
    const long = `${lockWith()}# ${'x'.repeat(MAX_LOCK_BYTES)}`;
    expect(() => parseLock(long, 'sync.lock')).toThrow('is larger than 64 MiB.');
    for (const part of ['x', '\\\\', '[', '{a: ', 'a, ', '# ', ' ', '-', ': ', '""']) {
      const text = lockWith(`{path: ${part.repeat(2_000_000 / part.length)}`);
      expect(() => parseLock(text, 'sync.lock')).toThrow('(line 6).');
      expect(() => parseLock(text.replace('path: ', 'path: "'), 'sync.lock')).toThrow('(line 6).');
    }
  });

  test('reads back any string as written, in sorted order', () => {
    fc.assert(
      fc.property(lock, (value) => {
        expect(parseLock(formatLock(value), 'sync.lock')).toEqual(sorted(value));
      }),
    );
  });

  test('writes one line per row, so that a diff shows each change', () => {
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
  ])('rejects %s', (_name, line) => {
    const [key] = line.split(':');
    const text = formatLock(emptyLock())
      .split('\n')
      .filter((other) => !other.startsWith(`${key}:`))
      .join('\n');
    expect(() => parseLock(`${text}\n${line}\n`, 'sync.lock')).toThrow(CatalogError);
  });
});
