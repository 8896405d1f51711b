import {
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { now } from '../clock.ts';
import { getCacheFile, listCache } from './cache-folder.ts';
import { getCachedManifest, putCachedManifest } from './manifest-cache.ts';
import { openPackageCache } from './package-cache.ts';
import { decodeRecord, encodeRecord, type CachedFile } from './package-record.ts';
import { pruneToSize, pruneCache } from './prune-cache.ts';

const DAY_S = 24 * 60 * 60;

function hashOf(name: string): string {
  return bytesHash(name);
}

function file(path: string, text: string, executable = false): CachedFile {
  return { kind: 'inline', path, executable, bytes: Buffer.from(text) };
}

function putOne(folder: string, name: string, { text = name, days = 0 } = {}): void {
  const before = new Set(listCache(folder).map((pack) => pack.name));
  const cache = openPackageCache(folder);
  cache.put(hashOf(name), [file('SKILL.md', text)]);
  cache.flush();
  const then = now() / 1000 - days * DAY_S;
  for (const pack of listCache(folder)) {
    if (!before.has(pack.name)) utimesSync(`${folder}/packs/${pack.name}`, then, then);
  }
}

function namesIn(folder: string, part: string): string[] {
  return readdirSync(`${folder}/${part}`);
}

const arbitraryFile: fc.Arbitrary<CachedFile> = fc.oneof(
  fc.record({
    kind: fc.constant('inline' as const),
    path: fc.string({ unit: 'binary', minLength: 1 }),
    executable: fc.boolean(),
    bytes: fc.uint8Array({ maxLength: 200 }),
  }),
  fc.record({
    kind: fc.constant('large' as const),
    path: fc.string({ minLength: 1 }),
    executable: fc.boolean(),
    content_hash: fc.string().map(hashOf),
  }),
);

describe('package record', () => {
  test('reads back the same files, whatever their content', () => {
    fc.assert(
      fc.property(fc.array(arbitraryFile, { maxLength: 6 }), (files) => {
        const read = decodeRecord(encodeRecord(files));
        expect(read?.map(plain)).toEqual(files.map(plain));
      }),
    );
  });

  test('returns nothing and does not throw if the record is truncated or corrupt', () => {
    const record = encodeRecord([file('a', 'one'), file('b', 'two')]);
    for (let length = 0; length < record.length; length += 1) {
      expect(decodeRecord(record.subarray(0, length))).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        decodeRecord(bytes);
        decodeRecord(Buffer.concat([Buffer.from('[["a","-",-1]]\n'), bytes]));
      }),
    );
  });

  function plain(one: CachedFile): unknown {
    return one.kind === 'large' ? one : { ...one, bytes: [...one.bytes] };
  }
});

describe('package cache', () => {
  test('returns the packages that any process stored, and no others', () => {
    const folder = temporaryFolder();
    const files = [
      file('SKILL.md', 'Text.'),
      file('scripts/x.sh', '#!', true),
      { kind: 'large', path: 'big.bin', executable: false, content_hash: hashOf('big') } as const,
    ];
    const cache = openPackageCache(folder);
    cache.put(hashOf('one'), files);
    cache.flush();
    const found = openPackageCache(folder).get([hashOf('one'), hashOf('two')]);
    expect([...found.keys()]).toEqual([hashOf('one')]);
    expect(found.get(hashOf('one'))).toEqual(files);
  });

  test('stores many packages in few files that only the owner can read', () => {
    const folder = temporaryFolder();
    const cache = openPackageCache(folder);
    const text = 'x'.repeat(10_000);
    for (let index = 0; index < 1000; index += 1) {
      cache.put(hashOf(`p${index}`), [file('SKILL.md', `${index} ${text}`)]);
    }
    cache.flush();
    const packs = namesIn(folder, 'packs');
    expect(packs).toHaveLength(3);
    expect(statSync(`${folder}/packs/${packs[0] ?? ''}`).mode & 0o077).toBe(0);
    expect(statSync(`${folder}/packs`).mode & 0o077).toBe(0);
    const wanted = [0, 499, 999].map((index) => hashOf(`p${index}`));
    const found = openPackageCache(folder).get(wanted);
    expect(found.get(hashOf('p499'))).toEqual([file('SKILL.md', `499 ${text}`)]);
    expect(found.size).toBe(3);
    const everything = Array.from({ length: 1000 }, (_, index) => hashOf(`p${index}`));
    expect(openPackageCache(folder).get(everything).size).toBe(1000);
  });

  test('joins the small packs that many small syncs create', () => {
    const folder = temporaryFolder();
    for (let index = 0; index < 70; index += 1) putOne(folder, `p${index}`);
    expect(namesIn(folder, 'packs').length).toBeLessThan(10);
    const all = Array.from({ length: 70 }, (_, index) => hashOf(`p${index}`));
    expect(openPackageCache(folder).get(all).size).toBe(70);
  });

  test('stores an existing package only once and counts it as used', () => {
    const folder = temporaryFolder();
    putOne(folder, 'a', { days: 9 });
    const [before] = listCache(folder);
    const cache = openPackageCache(folder);
    cache.put(hashOf('a'), [file('SKILL.md', 'a')]);
    cache.flush();
    const [after, ...others] = listCache(folder);
    expect(others).toEqual([]);
    expect(after?.name).toBe(before?.name);
    expect(after?.used_at).toBeGreaterThan(now() - DAY_S * 1000);
  });

  test('accepts concurrent writes of two processes', () => {
    const folder = temporaryFolder();
    const [one, two] = [openPackageCache(folder), openPackageCache(folder)];
    one.put(hashOf('a'), [file('SKILL.md', 'a')]);
    two.put(hashOf('a'), [file('SKILL.md', 'a')]);
    two.put(hashOf('b'), [file('SKILL.md', 'b')]);
    two.flush();
    one.flush();
    expect(openPackageCache(folder).get([hashOf('a'), hashOf('b')]).size).toBe(2);
  });

  test('ignores a pack that is truncated, emptied or removed while open', () => {
    const folder = temporaryFolder();
    putOne(folder, 'a');
    const [name = ''] = namesIn(folder, 'packs');
    const path = `${folder}/packs/${name}`;
    const cache = openPackageCache(folder);
    expect(cache.get([hashOf('a')]).size).toBe(1);
    for (const length of [readFileSync(path).length - 1, 20, 0]) {
      truncateSync(path, length);
      expect(openPackageCache(folder).get([hashOf('a')]).size).toBe(0);
    }
    putOne(folder, 'b');
    const reader = openPackageCache(folder);
    reader.get([]);
    pruneCache(folder, { days: 0, dry_run: false });
    expect(reader.get([hashOf('b')]).size).toBe(0);
  });

  test('stays empty without throwing if its path is a file', () => {
    const folder = `${temporaryFolder()}/file`;
    writeFileSync(folder, '');
    const cache = openPackageCache(folder);
    cache.put(hashOf('a'), [file('SKILL.md', 'a')]);
    cache.flush();
    expect(cache.get([hashOf('a')]).size).toBe(0);
    expect(cache.getBlob(hashOf('a'))).toBeUndefined();
    expect(getCacheFile(folder, 'manifests', 'x')).toBeUndefined();
  });

  test('ignores a package that names a file outside the cache', () => {
    const frame = JSON.stringify([['x', '-', 'sha256:../../outside']]);
    expect(decodeRecord(Buffer.from(`${frame}\n`))).toBeUndefined();
  });

  test('does not return a discarded package again', () => {
    const folder = temporaryFolder();
    putOne(folder, 'a');
    const cache = openPackageCache(folder);
    cache.get([hashOf('a')]);
    cache.discard(hashOf('a'));
    expect(openPackageCache(folder).get([hashOf('a')]).size).toBe(0);
  });

  test('verifies the hash of a large file on every read', () => {
    const folder = temporaryFolder();
    const cache = openPackageCache(folder);
    cache.putBlob(hashOf('large'), Buffer.from('large'));
    expect(cache.getBlob(hashOf('large'))).toEqual(Buffer.from('large'));
    const [name = ''] = namesIn(folder, 'blobs');
    writeFileSync(`${folder}/blobs/${name}`, 'wrong');
    expect(cache.getBlob(hashOf('large'))).toBeUndefined();
    expect(namesIn(folder, 'blobs')).toEqual([]);
  });
});

describe('cache limits', () => {
  test('removes the least recently used files first', () => {
    const folder = temporaryFolder();
    const text = 'x'.repeat(1000);
    putOne(folder, 'older', { text, days: 9 });
    putOne(folder, 'oldest', { text, days: 19 });
    putOne(folder, 'new', { text });
    openPackageCache(folder).get([hashOf('oldest')]);
    pruneToSize(folder, 2500);
    const kept = openPackageCache(folder).get(['oldest', 'older', 'new'].map(hashOf));
    expect([...kept.keys()].sort()).toEqual([hashOf('oldest'), hashOf('new')].sort());
  });

  test('removes nothing below the limit', () => {
    const folder = temporaryFolder();
    putOne(folder, 'a');
    pruneToSize(folder);
    expect(namesIn(folder, 'packs')).toHaveLength(1);
  });

  test('removes temporary files of crashed writers after a day and never counts them', () => {
    const folder = temporaryFolder();
    writeTree(folder, { 'packs/.half-written': 'half', 'packs/.fresh': 'half' });
    const then = now() / 1000 - 2 * DAY_S;
    utimesSync(`${folder}/packs/.half-written`, then, then);
    expect(listCache(folder)).toEqual([]);
    expect(namesIn(folder, 'packs')).toEqual(['.fresh']);
  });
});

describe('manifest cache', () => {
  const viewer = { registry: 'https://a.test', subject: 'open' };

  test('keeps one manifest per registry and subject', () => {
    const folder = temporaryFolder();
    const manifest = { etag: '"1"', bytes: Buffer.from('{}\n{}') };
    putCachedManifest(folder, viewer, manifest);
    expect(getCachedManifest(folder, viewer)).toMatchObject(manifest);
    expect(getCachedManifest(folder, { ...viewer, subject: 'ada' })).toBeUndefined();
    expect(getCachedManifest(folder, { ...viewer, registry: 'https://b.test' })).toBeUndefined();
  });

  test('ignores a manifest that was changed on disk', () => {
    const folder = temporaryFolder();
    putCachedManifest(folder, viewer, { etag: '"1"', bytes: Buffer.from('{"artifacts":[]}') });
    const [name = ''] = namesIn(folder, 'manifests');
    const path = `${folder}/manifests/${name}`;
    writeFileSync(path, readFileSync(path, 'utf8').replace('artifacts', 'artefacts'));
    expect(getCachedManifest(folder, viewer)).toBeUndefined();
  });
});
