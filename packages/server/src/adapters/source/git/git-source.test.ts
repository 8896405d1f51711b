import { randomBytes } from 'node:crypto';
import { readdirSync, statSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGitRepository, type GitRepository } from '@catalog/testkit/git-repository';
import { gitOptions, openGitSource } from '@catalog/testkit/git-source';
import { layerRecord } from '@catalog/testkit/layer-record';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { SourceReading } from '@catalog/core/ports/layer-source';
import { describe, expect, test } from 'vitest';
import type { GitOptions } from './git-options.ts';
import { findGit, listPacks } from './git-program.ts';
import type { GitSource } from './git-source.ts';
import { repackRepository } from './repack-repository.ts';

const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: A rule to read.\n---\nBody.\n';
const LIVE = new AbortController().signal;

function openLayer(
  fields: Partial<LayerRecord> = {},
  options: Partial<GitOptions> = {},
): {
  repository: GitRepository;
  folder: string;
  read: (request?: { full?: boolean; retry?: string[] }) => Promise<SourceReading>;
  change: (fields: Partial<LayerRecord>) => void;
  source: GitSource;
  startProcess: (name: string) => void;
  keptBytes: () => number;
} {
  const repository = createGitRepository(join(temporaryFolder(), 'team.git'));
  const folder = temporaryFolder();
  const source = openGitSource({ folder, ...options });
  const processes = new Map([['first', { folder, source }]]);
  let process = { folder, source };
  let layer = layerRecord({ repo: repository.path, ...fields });
  return {
    repository,
    folder,
    source,
    startProcess: (name) => {
      const own = temporaryFolder();
      process = processes.get(name) ?? {
        folder: own,
        source: openGitSource({ folder: own, ...options }),
      };
      processes.set(name, process);
    },
    keptBytes: () =>
      readdirSync(process.folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.pack'))
        .reduce((sum, name) => sum + statSync(join(process.folder, name)).size, 0),
    change: (changed) => {
      layer = { ...layer, ...changed };
    },
    read: async ({ full = false, retry = [] } = {}) => {
      const reading = await process.source.read(1, layer, { full, retry }, LIVE);
      layer = { ...layer, source_state: reading.source_state };
      return reading;
    },
  };
}

function idsOf({ snapshot }: SourceReading): string[] {
  return snapshot.packages.map(({ id }) => id);
}

function textOf(reading: SourceReading, id: string, path: string): string | undefined {
  const pkg = reading.snapshot.packages.find((one) => one.id === id);
  const file = pkg?.resources.find((one) => one.path === path);
  return file === undefined ? undefined : Buffer.from(file.bytes).toString();
}

async function failureOf(reading: Promise<unknown>): Promise<unknown> {
  return reading.then(
    () => 'it was read',
    (error: unknown) => error,
  );
}

describe('ref', () => {
  test('resolves to the default branch, a branch, a tag, a full ref or a commit', async () => {
    const { repository, read, change } = openLayer();
    const first = repository.commit({ 'a/ARTIFACT.md': RULE });
    repository.tag('plain', first);
    repository.tag('annotated', first, true);
    const main = repository.commit({ 'b/ARTIFACT.md': RULE });
    const side = repository.commit({ 'c/ARTIFACT.md': RULE }, { branch: 'side', parents: [first] });
    for (const [ref, commit] of [
      ['', main],
      ['main', main],
      ['side', side],
      ['plain', first],
      ['annotated', first],
      ['refs/heads/side', side],
      ['refs/tags/annotated', first],
      [first, first],
    ] as const) {
      change({ ref });
      const reading = await read();
      expect([ref, reading.reference, reading.complete]).toEqual([ref, commit, true]);
      expect(reading.rewritten).toBeUndefined();
    }
  });

  test('prefers a branch to a tag of the same name', async () => {
    const { repository, read } = openLayer({ ref: 'v1' });
    const tagged = repository.commit({ 'a/ARTIFACT.md': RULE });
    repository.tag('v1', tagged);
    const branch = repository.commit(
      { 'b/ARTIFACT.md': RULE },
      { branch: 'v1', parents: [tagged] },
    );
    expect((await read()).reference).toBe(branch);
  });

  test.each(['missing', 'f'.repeat(40), '--upload-pack=id', 'a b'])(
    'is reported as missing if it does not exist: %j',
    async (ref) => {
      const { repository, read } = openLayer({ ref });
      repository.commit({ 'a/ARTIFACT.md': RULE });
      expect(await failureOf(read())).toMatchObject({
        code: 'ingest.source_unreachable',
        message: expect.stringMatching(/^Layer team: its (repository has no ref|ref is not)/),
        suggested_action: expect.stringContaining('`ref`'),
      });
    },
  );

  test('is rejected if its tag does not refer to a commit', async () => {
    const { repository, read } = openLayer({ ref: 'blob' });
    repository.commit({ 'a/ARTIFACT.md': RULE });
    repository.tag('blob', repository.git('rev-parse', 'main:a/ARTIFACT.md'));
    expect(await failureOf(read())).toMatchObject({ code: 'ingest.source_unreachable' });
  });
});

describe('full read', () => {
  test('returns all files under the root and no others', async () => {
    const { repository, read } = openLayer({ root: 'catalog/skills' });
    repository.commit({
      'catalog/skills/a/SKILL.md': 'x',
      'catalog/b/ARTIFACT.md': RULE,
      'c/ARTIFACT.md': RULE,
    });
    expect(idsOf(await read())).toEqual(['a']);
  });

  test.each(['missing', 'a/ARTIFACT.md', 'a/missing'])(
    'rejects a root that is not a folder: %s',
    async (root) => {
      const { repository, read } = openLayer({ root });
      repository.commit({ 'a/ARTIFACT.md': RULE });
      expect(await failureOf(read())).toMatchObject({
        code: 'ingest.source_unreachable',
        message: `Layer team: its repository has no directory ${root}.`,
      });
    },
  );

  test('keeps executable modes and resolves links within the root', async () => {
    const { repository, read } = openLayer({ root: 'in' });
    repository.commit({
      'in/a/ARTIFACT.md': RULE,
      'in/a/run.sh': { x: '#!/bin/sh\n' },
      'in/a/inside': { link: '../b/data' },
      'in/b/data': 'data',
      'in/bad/ARTIFACT.md': RULE,
      'in/bad/out': { link: '../../outside' },
      outside: 'secret',
    });
    const { snapshot } = await read();
    const [a] = snapshot.packages;
    expect(a?.resources.map(({ path, executable }) => [path, executable])).toEqual([
      ['inside', false],
      ['run.sh', true],
    ]);
    expect(snapshot.refused).toEqual([
      {
        path: 'in/bad/out'.slice(3),
        code: 'ingest.source_unreachable',
        reason: 'is a link that leaves the layer',
        artifact_id: 'bad',
      },
    ]);
    expect(JSON.stringify(snapshot)).not.toContain(Buffer.from('secret').toString('base64'));
  });

  test('skips submodules and reports an advisory for Git LFS pointers', async () => {
    const { repository, read } = openLayer();
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n';
    const submodule = 'a'.repeat(40);
    repository.commit({
      'a/ARTIFACT.md': RULE,
      'a/model.bin': pointer,
      'b/ARTIFACT.md': RULE,
      'b/vendored': { submodule },
      vendor: { submodule },
      '.gitmodules': '[submodule "x"]\n\tpath = vendor\n\turl = ext::id\n',
    });
    const { snapshot, advisories } = await read();
    expect(snapshot.refused.map(({ path, artifact_id }) => [path, artifact_id])).toEqual([
      ['b/vendored', 'b'],
    ]);
    expect(
      advisories.map(({ severity, file, artifact_id }) => [severity, file, artifact_id]),
    ).toEqual([
      ['warning', 'vendor', 'vendor'],
      ['warning', 'a/model.bin', 'a'],
    ]);
  });

  test('accepts a history with format errors of old tools in names and dates', async () => {
    const { repository, read } = openLayer();
    repository.commit({ 'a/ARTIFACT.md': RULE });
    const tree = repository.git('rev-parse', 'main^{tree}');
    const file = join(temporaryFolder(), 'commit');
    const slips = 'author A <> 0123 +051800\nauthor A<a@b> 1 +0000\ncommitter <a@b> 1 +0\n';
    writeFileSync(file, `tree ${tree}\n${slips}\nold\n`);
    const old = repository.git('hash-object', '-w', '--literally', '-t', 'commit', file);
    repository.commit({ 'b/ARTIFACT.md': RULE }, { parents: [old] });
    expect(idsOf(await read())).toEqual(['a', 'b']);
  });

  test('rejects only the file above the size limit', async () => {
    const { repository, read } = openLayer();
    repository.commit({
      'a/ARTIFACT.md': RULE,
      'a/huge': Buffer.alloc(64 * 1024 * 1024 + 1),
      'b/ARTIFACT.md': RULE,
    });
    const { snapshot } = await read();
    expect(snapshot.packages.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(snapshot.refused).toMatchObject([
      { path: 'a/huge', artifact_id: 'a', reason: expect.stringContaining('64 MiB') },
    ]);
  });
});

describe('incremental read', () => {
  test('returns only files that a push changed and requested files', async () => {
    const { repository, read } = openLayer();
    repository.commit({ 'a/ARTIFACT.md': RULE, 'b/ARTIFACT.md': RULE, 'ops/DOMAIN.md': 'x' });
    expect([(await read()).complete, idsOf(await read())]).toEqual([true, []]);
    const commit = repository.commit({ 'b/data': '1', 'ops/DOMAIN.md': null });
    const pushed = await read({ retry: ['gone'] });
    expect([pushed.complete, pushed.reference, idsOf(pushed)]).toEqual([false, commit, ['b']]);
    expect(pushed.removed).toEqual({ artifacts: ['gone', 'ops/DOMAIN.md'], domains: ['ops'] });
    expect(idsOf(await read({ retry: ['a'] }))).toEqual(['a']);
    const full = await read({ full: true });
    expect([full.complete, idsOf(full)]).toEqual([true, ['a', 'b']]);
  });

  test('returns the target of a link that did not change itself', async () => {
    const { repository, read } = openLayer();
    repository.commit({
      'a/ARTIFACT.md': RULE,
      'a/linked': { link: '../shared/text' },
      'shared/text': 'one',
    });
    expect(textOf(await read(), 'a', 'linked')).toBe('one');
    repository.commit({ 'shared/text': 'two' });
    expect(textOf(await read(), 'a', 'linked')).toBe('two');
    repository.commit({ 'other.md': 'x' });
    await read();
    repository.commit({ 'shared/text': 'three' });
    expect(textOf(await read(), 'a', 'linked')).toBe('three');
  });

  test('returns all files if the root or ref changed, without reporting a rewritten history', async () => {
    const { repository, read, change } = openLayer();
    const first = repository.commit({ 'a/ARTIFACT.md': RULE, 'in/b/ARTIFACT.md': RULE });
    repository.commit({ 'c/ARTIFACT.md': RULE }, { branch: 'side', parents: [first] });
    repository.commit({ 'd/ARTIFACT.md': RULE });
    await read();
    for (const fields of [{ root: 'in' }, { root: '', ref: 'side' }]) {
      change(fields);
      const reading = await read();
      expect([reading.complete, reading.rewritten]).toEqual([true, undefined]);
    }
  });

  test('treats a merge of an older branch like any other push', async () => {
    const { repository, read } = openLayer();
    const first = repository.commit({ 'a/ARTIFACT.md': RULE });
    const side = repository.commit({ 'b/ARTIFACT.md': RULE }, { branch: 'side', parents: [first] });
    const second = repository.commit({ 'c/ARTIFACT.md': RULE });
    await read();
    repository.commit({ 'b/ARTIFACT.md': RULE }, { parents: [second, side] });
    const merged = await read();
    expect([merged.complete, merged.rewritten, idsOf(merged)]).toEqual([false, undefined, ['b']]);
  });

  test('fetches files that an earlier commit contained but the last one did not', async () => {
    const { repository, read } = openLayer();
    repository.commit({ 'a/ARTIFACT.md': RULE, 'a/data': 'first', 'deep/er/b/ARTIFACT.md': RULE });
    repository.commit({ 'a/data': 'second', 'deep/er/b/ARTIFACT.md': null });
    expect(textOf(await read(), 'a', 'data')).toBe('second');
    repository.commit({ 'a/data': 'first', 'deep/er/b/ARTIFACT.md': RULE });
    const reverted = await read();
    expect([idsOf(reverted), textOf(reverted, 'a', 'data')]).toEqual([['a', 'deep/er/b'], 'first']);
  });
});

describe('incremental read by several processes', () => {
  const LARGE = 200_000;
  const files = (count: number): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        [`a${index}/ARTIFACT.md`, RULE],
        [`a${index}/data`, randomBytes(LARGE / count).toString('hex')],
      ]).flat(),
    );

  test('returns the changes of a push regardless of which process read the previous commit', async () => {
    const { repository, read, startProcess, keptBytes } = openLayer();
    repository.commit(files(20));
    for (const name of ['second', 'third', 'first']) {
      startProcess(name);
      await read();
    }
    const before = keptBytes();
    for (const [index, name] of ['second', 'third', 'second', 'first', 'third'].entries()) {
      startProcess(name);
      repository.commit({ [`a${index}/data`]: `push ${index}` });
      const reading = await read();
      expect([name, reading.complete, idsOf(reading)]).toEqual([name, false, [`a${index}`]]);
      expect(textOf(reading, `a${index}`, 'data')).toBe(`push ${index}`);
    }
    startProcess('first');
    expect(keptBytes() - before).toBeLessThan(LARGE / 10);
    expect(idsOf(await read({ full: true }))).toHaveLength(20);
  });

  test.each(['', 'team/skills'])(
    'returns the changes of a push in a new process with the root %j',
    async (root) => {
      const { repository, read, startProcess } = openLayer({ root });
      const below = root === '' ? '' : `${root}/`;
      const placed = Object.entries(files(20)).map(([path, text]) => [below + path, text]);
      repository.commit({ 'other/ARTIFACT.md': RULE, ...Object.fromEntries(placed) });
      await read();
      repository.commit({ [`${below}a3/data`]: 'push', [`${below}a4/ARTIFACT.md`]: null });
      startProcess('new');
      const reading = await read();
      expect([reading.complete, idsOf(reading)]).toEqual([false, ['a3']]);
      expect(reading.removed.artifacts).toEqual(['a4']);
      repository.commit({ [`${below}a5/data`]: 'next' });
      expect(idsOf(await read())).toEqual(['a5']);
      expect(idsOf(await read({ retry: ['a6'] }))).toEqual(['a6']);
      expect(idsOf(await read({ full: true }))).toHaveLength(root === '' ? 20 : 19);
    },
  );

  test('returns the changes since the last stored commit if a later read was not stored', async () => {
    const { repository, read, startProcess, change } = openLayer();
    repository.commit(files(5));
    const { source_state } = await read();
    startProcess('second');
    await read();
    repository.commit({ 'a1/data': 'one' });
    await read();
    change({ source_state });
    repository.commit({ 'a2/data': 'two' });
    const reading = await read();
    expect([reading.complete, idsOf(reading)]).toEqual([false, ['a1', 'a2']]);
  });

  test('returns all files after a rewritten history and the changes of later pushes', async () => {
    const { repository, read, startProcess } = openLayer();
    const first = repository.commit(files(5));
    repository.commit({ 'a1/data': 'one' });
    await read();
    startProcess('second');
    await read();
    const commit = repository.commit({ 'a2/data': 'two' }, { parents: [first] });
    const rewritten = await read();
    expect([rewritten.complete, rewritten.reference]).toEqual([true, commit]);
    startProcess('first');
    repository.commit({ 'a3/data': 'three' });
    const next = await read();
    expect([next.complete, next.rewritten, idsOf(next)]).toEqual([false, undefined, ['a3']]);
  });
});

describe('rewritten history', () => {
  test('is reported with the unreachable commit and read completely', async () => {
    const { repository, read } = openLayer();
    const first = repository.commit({ 'a/ARTIFACT.md': RULE });
    const second = repository.commit({ 'b/ARTIFACT.md': RULE });
    await read();
    repository.commit({ 'c/ARTIFACT.md': RULE }, { parents: [first] });
    const reading = await read();
    expect([reading.rewritten, reading.complete, idsOf(reading)]).toEqual([
      second,
      true,
      ['a', 'c'],
    ]);
    repository.commit({ 'd/ARTIFACT.md': RULE }, { parents: [], orphan: true });
    const orphan = await read();
    expect([orphan.complete, idsOf(orphan)]).toEqual([true, ['d']]);
    expect(orphan.rewritten).toBe(reading.reference);
  });

  test('is reported even if the registry has lost its copy', async () => {
    const { repository, read, folder } = openLayer();
    const first = repository.commit({ 'a/ARTIFACT.md': RULE });
    const second = repository.commit({ 'b/ARTIFACT.md': RULE });
    await read();
    rmSync(join(folder, '1'), { recursive: true });
    repository.commit({ 'c/ARTIFACT.md': RULE }, { parents: [first] });
    expect((await read()).rewritten).toBe(second);
    rmSync(join(folder, '1'), { recursive: true });
    repository.commit({ 'd/ARTIFACT.md': RULE });
    const appended = await read();
    expect([appended.rewritten, appended.complete]).toEqual([undefined, false]);
  });
});

describe('local copy', () => {
  test('is cloned again if damaged', async () => {
    const { repository, read, folder } = openLayer();
    repository.commit({ 'a/ARTIFACT.md': RULE });
    await read();
    const packs = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    for (const name of packs.filter((one) => one.endsWith('.pack')))
      truncateSync(join(folder, name), 40);
    repository.commit({ 'b/ARTIFACT.md': RULE });
    const reading = await read({ full: true });
    expect(idsOf(reading)).toEqual(['a', 'b']);
  });

  test('is listed with its size and removed with its layer', async () => {
    const { repository, read, folder, source } = openLayer();
    repository.commit({ 'a/ARTIFACT.md': RULE });
    expect(await source.copies.list()).toEqual([]);
    const { copy_bytes } = await read();
    expect(copy_bytes).toBeGreaterThan(RULE.length);
    expect(await source.copies.list()).toEqual([{ tenant: 1, layer: 1 }]);
    await source.copies.remove(1, 1);
    expect(await source.copies.list()).toEqual([]);
    expect(readdirSync(join(folder, '1'))).toEqual([]);
    expect(idsOf(await read({ full: true }))).toEqual(['a']);
  });

  test('does not keep files of a failed fetch', async () => {
    const limits = { ...gitOptions('').limits, bytes: 50_000 };
    const { repository, read, folder } = openLayer({}, { limits });
    repository.commit({ 'a/ARTIFACT.md': RULE, 'a/data': randomBytes(400_000).toString('hex') });
    expect(await failureOf(read())).toMatchObject({ code: 'ingest.source_unreachable' });
    // The earlier fetch stored the trees. They remain although git was killed before the files were complete.
    const kept = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    expect(kept.filter((name) => name.includes('tmp_'))).toEqual([]);
    const packs = kept.filter((name) => name.endsWith('.pack'));
    for (const name of packs) expect(statSync(join(folder, name)).size).toBeLessThan(1000);
  });

  test('gives no access to commits of another repository', async () => {
    const { repository, read, change } = openLayer();
    const secret = repository.commit({ 'secret/ARTIFACT.md': RULE });
    await read();
    const other = createGitRepository(join(temporaryFolder(), 'other.git'));
    other.commit({ 'b/ARTIFACT.md': RULE });
    change({ repo: other.path, ref: secret, source_state: null });
    expect(await failureOf(read())).toMatchObject({ code: 'ingest.source_unreachable' });
  });

  test('is repacked occasionally without loss', async () => {
    const { repository, read, folder } = openLayer();
    for (const content of ['one', 'two', 'three']) {
      repository.commit({ 'a/ARTIFACT.md': RULE, 'a/data': content });
      await read();
    }
    const git = findGit(process.env['PATH'] ?? '');
    const [name = ''] = readdirSync(join(folder, '1/1'));
    const place = join(folder, '1/1', name);
    const packs = () => listPacks(place).filter((file) => file.endsWith('.pack')).length;
    expect(packs()).toBeGreaterThan(2);
    if (git !== undefined) await repackRepository(git, place, LIVE, 2);
    expect(packs()).toBe(1);
    expect(textOf(await read({ full: true }), 'a', 'data')).toBe('three');
    repository.commit({ 'a/data': 'one' });
    expect(textOf(await read(), 'a', 'data')).toBe('one');
  });
});
