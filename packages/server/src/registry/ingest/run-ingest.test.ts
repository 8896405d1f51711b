import { openMemoryRegistry, type MemoryRegistry } from '@catalog/testkit/memory-registry';
import type { ClaimedJob } from '@catalog/core/ports/jobs';
import type { PackageTexts } from '@catalog/testkit/authored-package';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { batchLoad } from '../load/batch-load.ts';
import { listVersions } from '../load/list-versions.ts';
import { loadArtifact } from '../load/load-artifact.ts';
import { streamManifest } from '../sync/stream-manifest.ts';
import { resolveView } from '../view/resolve-view.ts';
import { runIngest } from './run-ingest.ts';

let open: MemoryRegistry;

beforeEach(async () => {
  open = await openMemoryRegistry();
  await open.addLayer('base');
  await open.addLayer('team');
});

afterEach(() => open.close());

function rule(lines: string, body = 'Do it.\n'): PackageTexts {
  const text = `---\ntype: rule\nversion: 1.0.0\ndescription: What to do about a thing.\n${lines}---\n${body}`;
  return { 'ARTIFACT.md': text };
}

function versioned(version: string, more = ''): PackageTexts {
  return {
    'ARTIFACT.md': `---\ntype: rule\nversion: ${version}\ndescription: What to do about ${version}.\n${more}---\nDo it.\n`,
  };
}

async function load(id: string, version = ''): Promise<Record<string, unknown>> {
  const { bytes } = await loadArtifact(open.registry, open.context, { id, version });
  return JSON.parse(Buffer.from(bytes).toString());
}

async function manifest(): Promise<{
  artifacts: { id: string; version: string; layer: string }[];
  rejected: { artifact_id: string; layer: string; code: string; reason: string }[];
}> {
  const answer = await streamManifest(open.registry, open.context);
  let text = '';
  for await (const chunk of answer.chunks()) text += chunk;
  return JSON.parse(text);
}

async function events(): Promise<string[]> {
  const list = await open.registry.store.outbox.listAfter(1, 0, 1000);
  return list.map(({ body }) => body.event);
}

test('an ingest serves the artifacts with their resources', async () => {
  const report = await open.ingest('base', {
    packages: {
      'ops/a': { ...rule(''), 'scripts/run.sh': 'echo hi', 'notes.txt': 'n' },
      'ops/b': rule(''),
    },
  });
  expect(report).toMatchObject({ layer: 'base', accepted: 2, idempotent: 0, rejected: [] });
  expect(await load('ops/a')).toMatchObject({
    id: 'ops/a',
    version: '1.0.0',
    layer: 'base',
    resources: { 'scripts/run.sh': 'echo hi', 'notes.txt': 'n' },
    executable: ['scripts/run.sh'],
  });
  expect((await manifest()).artifacts.map(({ id }) => id)).toEqual(['ops/a', 'ops/b']);
  expect(await events()).toEqual(['artifact.published', 'artifact.published', 'layer.ingested']);
});

test('ingesting unchanged content changes nothing', async () => {
  const packages = { 'ops/a': rule(''), 'ops/waits': rule('extends: ops/none@1.0.0\n') };
  await open.ingest('base', { packages });
  const { layers } = open.registry.store;
  const revision = await layers.revision(1);
  const before = await resolveView(open.registry, open.context);
  const first = await layers.get(1, 'base');
  const report = await open.ingest('base', { packages });
  expect(report).toMatchObject({ accepted: 0, idempotent: 1, rejected: [{}] });
  // Views stay valid, but the layer records the time of the ingest.
  expect(await resolveView(open.registry, open.context)).toBe(before);
  expect(await layers.revision(1)).toBe(revision);
  expect((await layers.get(1, 'base'))?.last_ingested_at).not.toBe(first?.last_ingested_at);
  expect(await events()).toEqual(['artifact.published', 'layer.ingested', 'layer.ingested']);
});

test('an ingest that waits for the object store does not delay other layers', async () => {
  const { objects } = open.registry;
  const isStuck = Promise.withResolvers<void>();
  const recovered = Promise.withResolvers<void>();
  const put = objects.put.bind(objects);
  objects.put = async (...given) => {
    isStuck.resolve();
    await recovered.promise;
    return put(...given);
  };
  const large = open.ingest('base', {
    packages: { 'ops/large': { ...rule(''), 'model.txt': 'x'.repeat(300_000) } },
  });
  await isStuck.promise;
  expect(await open.ingest('team', { packages: { 'ops/a': rule('') } })).toMatchObject({
    accepted: 1,
  });
  expect(await load('ops/a')).toMatchObject({ layer: 'team' });
  await expect(load('ops/large')).rejects.toThrow('does not exist');
  recovered.resolve();
  expect(await large).toMatchObject({ accepted: 1 });
  expect(await load('ops/large')).toMatchObject({ layer: 'base' });
});

describe('published version', () => {
  test('rejects different content and keeps the stored one', async () => {
    await open.ingest('base', { packages: { 'ops/a': rule('') } });
    const report = await open.ingest('base', { packages: { 'ops/a': rule('', 'Other.\n') } });
    expect(report.conflicts).toMatchObject([
      { artifact_id: 'ops/a', version: '1.0.0', code: 'ingest.immutable_violation' },
    ]);
    expect(report.conflicts[0]?.old_hash).not.toBe(report.conflicts[0]?.new_hash);
    expect(await load('ops/a')).toMatchObject({ manifest_body: expect.stringContaining('Do it.') });
  });

  test('rejects different content also after the artifact was removed', async () => {
    await open.ingest('base', { packages: { 'ops/a': rule('') } });
    await open.ingest('base', {});
    const report = await open.ingest('base', { packages: { 'ops/a': rule('', 'Other.\n') } });
    expect(report.conflicts).toHaveLength(1);
    expect((await manifest()).artifacts).toEqual([]);
  });
});

describe('removal (SPEC-20)', () => {
  test('removes the artifact from lists and latest, keeps exact pins, and ends when the artifact returns', async () => {
    await open.ingest('base', { packages: { 'ops/a': rule(''), 'ops/b': rule('') } });
    const { content_hash } = await load('ops/a');
    expect(await open.ingest('base', { packages: { 'ops/b': rule('') } })).toMatchObject({
      removed: 1,
    });
    await expect(load('ops/a')).rejects.toMatchObject({ code: 'registry.not_found' });
    expect(await load('ops/a', '1.0.0')).toMatchObject({ id: 'ops/a' });
    expect(await load('ops/a', String(content_hash))).toMatchObject({ id: 'ops/a' });
    expect(await events()).toContain('artifact.removed');
    await open.ingest('base', { packages: { 'ops/a': rule(''), 'ops/b': rule('') } });
    expect(await load('ops/a')).toMatchObject({ id: 'ops/a', version: '1.0.0' });
    const eventNames = await events();
    expect(eventNames.filter((name) => name === 'artifact.published')).toHaveLength(2);
    expect(eventNames.slice(-2)).toEqual(['artifact.restored', 'layer.ingested']);
  });
});

describe('latest', () => {
  test('skips a deprecated version with which a withdrawn artifact returns', async () => {
    await open.ingest('base', { packages: { 'ops/a': versioned('1.0.0') } });
    await open.ingest('base', {});
    const deprecated = { 'ops/a': versioned('2.0.0', 'deprecated: true\n') };
    await open.ingest('base', { packages: deprecated });
    expect(await load('ops/a')).toMatchObject({ version: '1.0.0', deprecated: false });
    expect((await manifest()).artifacts).toMatchObject([{ id: 'ops/a', version: '1.0.0' }]);
    expect((await events()).slice(-4)).toEqual([
      'artifact.published',
      'artifact.deprecated',
      'artifact.restored',
      'layer.ingested',
    ]);
    await open.ingest('base', { packages: deprecated });
    expect(await load('ops/a')).toMatchObject({ version: '1.0.0' });
  });

  test('is the newest deprecated version if a withdrawn artifact has no other', async () => {
    const deprecated = (version: string): PackageTexts => versioned(version, 'deprecated: true\n');
    await open.ingest('base', { packages: { 'ops/a': deprecated('1.0.0') } });
    await open.ingest('base', {});
    await open.ingest('base', { packages: { 'ops/a': deprecated('2.0.0') } });
    expect(await load('ops/a')).toMatchObject({ version: '2.0.0', deprecated: true });
  });

  test('is the version ingested last, not the highest, and never a deprecated one', async () => {
    await open.ingest('base', { packages: { 'ops/a': versioned('2.0.0') } });
    await open.ingest('base', { packages: { 'ops/a': versioned('1.5.0') } });
    expect(await load('ops/a')).toMatchObject({ version: '1.5.0' });
    await open.ingest('base', { packages: { 'ops/a': versioned('3.0.0', 'deprecated: true\n') } });
    expect(await load('ops/a')).toMatchObject({ version: '1.5.0', deprecated: false });
    expect(await load('ops/a', '3.0.0')).toMatchObject({ deprecated: true });
    expect(await load('ops/a', '2.x')).toMatchObject({ version: '2.0.0' });
  });

  test('is a deprecated version if no other exists', async () => {
    await open.ingest('base', { packages: { 'ops/a': versioned('1.0.0', 'deprecated: true\n') } });
    expect(await load('ops/a')).toMatchObject({
      deprecated: true,
      deprecation_warning: 'ops/a 1.0.0 is deprecated.',
    });
    expect(await events()).toEqual(['artifact.published', 'artifact.deprecated', 'layer.ingested']);
  });
});

describe('rollback (SPEC-70)', () => {
  const ingest = (version: string, more = ''): Promise<unknown> =>
    open.ingest('base', { packages: { 'ops/a': versioned(version, more) } });

  test('serves an earlier version that the source contains again, and keeps exact pins of later ones', async () => {
    for (const version of ['1.0.0', '1.1.0', '1.2.0', '1.0.0']) await ingest(version);
    expect(await load('ops/a')).toMatchObject({ version: '1.0.0' });
    expect((await manifest()).artifacts).toMatchObject([{ id: 'ops/a', version: '1.0.0' }]);
    expect(await load('ops/a', '1.x')).toMatchObject({ version: '1.0.0' });
    await expect(load('ops/a', '1.2.x')).rejects.toMatchObject({ code: 'registry.not_found' });
    expect(await load('ops/a', '1.2.0')).toMatchObject({ version: '1.2.0' });
    const { versions } = await listVersions(open.registry, open.context, 'ops/a');
    expect(
      versions.map(({ version, rolled_back, latest }) => [version, rolled_back, latest]),
    ).toEqual([
      ['1.0.0', undefined, true],
      ['1.2.0', true, false],
      ['1.1.0', true, false],
    ]);
    expect((await events()).slice(-2)).toEqual(['artifact.restored', 'layer.ingested']);
  });

  test('ends when the source contains the later version again, or a new one', async () => {
    for (const version of ['1.0.0', '1.1.0', '1.2.0', '1.0.0', '1.1.0']) await ingest(version);
    expect(await load('ops/a')).toMatchObject({ version: '1.1.0' });
    expect(await load('ops/a', '1.x')).toMatchObject({ version: '1.1.0' });
    expect(await load('ops/a', '1.0.x')).toMatchObject({ version: '1.0.0' });
    await ingest('1.3.0');
    expect(await load('ops/a')).toMatchObject({ version: '1.3.0' });
    await expect(load('ops/a', '1.2.x')).rejects.toMatchObject({ code: 'registry.not_found' });
  });

  test('keeps versions that were superseded without a rollback', async () => {
    for (const version of ['1.0.0', '2.0.0', '3.0.0', '2.0.0']) await ingest(version);
    expect(await load('ops/a', '1.x')).toMatchObject({ version: '1.0.0' });
    await expect(load('ops/a', '3.x')).rejects.toMatchObject({ code: 'registry.not_found' });
  });

  test('also happens if the artifact left the source in between', async () => {
    for (const version of ['1.0.0', '2.0.0']) await ingest(version);
    await open.ingest('base', {});
    await ingest('1.0.0');
    expect(await load('ops/a')).toMatchObject({ version: '1.0.0' });
  });

  test('does not happen for a deprecated or a rejected version', async () => {
    await ingest('1.0.0', 'deprecated: true\n');
    for (const version of ['2.0.0', '3.0.0']) await ingest(version);
    await ingest('1.0.0', 'deprecated: true\n');
    expect(await load('ops/a')).toMatchObject({ version: '3.0.0' });
    await open.ingest('base', {
      packages: { 'ops/a': rule('', 'Different content under 1.0.0.\n') },
    });
    expect(await load('ops/a')).toMatchObject({ version: '3.0.0' });
  });

  test('a child in the same ingest extends the version that is latest again', async () => {
    for (const version of ['1.0.0', '1.1.0']) await ingest(version);
    const child = (id: string, pin: string) => ({
      [id]: { 'ARTIFACT.md': `---\ntype: rule\nversion: 1.0.0\nextends: ops/a${pin}\n---\n` },
    });
    await open.ingest('base', {
      packages: { 'ops/a': versioned('1.0.0'), ...child('ops/b', ''), ...child('ops/c', '@1.x') },
    });
    for (const id of ['ops/b', 'ops/c']) {
      expect(await load(id)).toMatchObject({
        manifest_body: expect.stringContaining('about 1.0.0.'),
      });
    }
  });
});

describe('extends', () => {
  const child = (lines: string): PackageTexts => ({
    'ARTIFACT.md': `---\ntype: rule\nversion: 1.0.0\n${lines}---\n`,
  });

  test('a child uses a parent in another layer and keeps the merged content', async () => {
    await open.ingest('base', { packages: { 'ops/parent': versioned('1.0.0') } });
    await open.ingest('team', { packages: { 'ops/child': child('extends: ops/parent@1.x\n') } });
    expect(await load('ops/child')).toMatchObject({
      manifest_body: expect.stringContaining('What to do about 1.0.0.'),
    });
    await open.ingest('base', { packages: { 'ops/parent': versioned('1.1.0') } });
    await open.ingest('team', { packages: { 'ops/child': child('extends: ops/parent@1.x\n') } });
    expect(await load('ops/child')).toMatchObject({
      manifest_body: expect.stringContaining('What to do about 1.0.0.'),
    });
  });

  test('a pin selects an older version of a parent in the same layer', async () => {
    await open.ingest('base', { packages: { 'ops/parent': versioned('1.0.0') } });
    const report = await open.ingest('base', {
      packages: {
        'ops/parent': versioned('2.0.0'),
        'ops/child': child('extends: ops/parent@1.0.0\n'),
      },
    });
    expect(report.rejected).toEqual([]);
    expect(await load('ops/child')).toMatchObject({
      manifest_body: expect.stringContaining('about 1.0.0.'),
    });
  });

  test('a child without its parent is ingested when the parent arrives', async () => {
    const report = await open.ingest('base', {
      packages: { 'ops/child': child('extends: ops/parent\n') },
    });
    expect(report.rejected).toMatchObject([
      { artifact_id: 'ops/child', code: 'ingest.invalid_artifact' },
    ]);
    expect((await manifest()).rejected).toMatchObject([{ artifact_id: 'ops/child', type: 'rule' }]);
    await open.ingest('team', { packages: { 'ops/parent': versioned('1.0.0') } });
    expect(await open.runWaiting()).toEqual(['base']);
    expect(await load('ops/child')).toMatchObject({ id: 'ops/child' });
    expect((await manifest()).rejected).toEqual([]);
  });

  test('a child that still names its parent is accepted, never served, and reported', async () => {
    await open.ingest('base', { packages: { 'ops/parent': versioned('1.0.0') } });
    const content = {
      packages: { 'ops/child': child('x-base: &b {extends: ops/parent}\n<<: *b\n') },
    };
    await open.ingest('team', content);
    await expect(load('ops/child')).rejects.toMatchObject({ code: 'registry.invalid_argument' });
    await open.ingest('team', content);
    const { artifacts, rejected } = await manifest();
    expect(artifacts.map(({ id }) => id)).toEqual(['ops/parent']);
    expect(rejected).toMatchObject([
      { artifact_id: 'ops/child', layer: 'team', code: 'registry.invalid_argument' },
    ]);
    await open.ingest('team', {});
    await open.ingest('team', content);
    expect((await manifest()).artifacts.map(({ id }) => id)).toEqual(['ops/parent']);
    expect((await manifest()).rejected).toHaveLength(1);
    const [item] = await batchLoad(open.registry, open.context, { ids: ['ops/child'] });
    expect(item).toMatchObject({ error: { code: 'registry.invalid_argument' } });
  });

  test('an overlay of the same id takes precedence', async () => {
    await open.ingest('base', { packages: { 'ops/a': versioned('1.0.0') } });
    await open.ingest('team', {
      packages: { 'ops/a': child('extends: ops/a\ndescription: The team does it otherwise.\n') },
    });
    expect(await load('ops/a')).toMatchObject({ layer: 'team' });
    expect(await open.ingest('base', { packages: { 'ops/a': versioned('1.1.0') } })).toMatchObject({
      accepted: 1,
      rejected: [],
    });
    expect(await load('ops/a')).toMatchObject({ layer: 'team' });
    // The lower layer serves a version that only it has (SPEC-21).
    expect(await load('ops/a', '1.1.0')).toMatchObject({ layer: 'base' });
  });
});

describe('collision (SPEC-21)', () => {
  test('the ingested of two organization layers is rejected', async () => {
    await open.ingest('team', { packages: { 'ops/a': rule('') } });
    const report = await open.ingest('base', { packages: { 'ops/a': rule('') } });
    expect(report.rejected).toMatchObject([{ artifact_id: 'ops/a', code: 'ingest.collision' }]);
    expect(await load('ops/a')).toMatchObject({ layer: 'team' });
  });

  test('an artifact of a personal layer loses the id regardless of the order', async () => {
    await open.addLayer('mine', { user_defined: true, owner: 'ada', users: ['ada'] });
    await open.ingest('mine', { packages: { 'ops/a': rule(''), 'ops/own': rule('') } });
    await open.ingest('base', { packages: { 'ops/a': rule('') } });
    expect(await load('ops/a')).toMatchObject({ layer: 'base' });
    expect((await manifest()).rejected).toMatchObject([
      { artifact_id: 'ops/a', layer: 'mine', code: 'ingest.collision' },
    ]);
    expect(await load('ops/own')).toMatchObject({ layer: 'mine' });
    await open.ingest('mine', { packages: { 'ops/a': rule(''), 'ops/own': rule('') } });
    expect(await load('ops/a')).toMatchObject({ layer: 'base' });
    expect((await manifest()).rejected).toMatchObject([{ artifact_id: 'ops/a', layer: 'mine' }]);
  });

  test('an artifact that returns is rejected if another layer uses its id', async () => {
    await open.ingest('base', { packages: { 'ops/a': rule('') } });
    await open.ingest('base', {});
    await open.ingest('team', { packages: { 'ops/a': rule('') } });
    const report = await open.ingest('base', { packages: { 'ops/a': rule('') } });
    expect(report.rejected).toMatchObject([{ artifact_id: 'ops/a', code: 'ingest.collision' }]);
    expect(await load('ops/a')).toMatchObject({ layer: 'team' });
  });
});

test('an edit under an unchanged version gets the next build number under --dev (SPEC-51)', async () => {
  await open.close();
  open = await openMemoryRegistry({ dev: true });
  await open.addLayer('base');
  const versions: unknown[] = [];
  for (const body of ['One.\n', 'Two.\n', 'Two.\n', 'One.\n']) {
    await open.ingest('base', { packages: { 'ops/a': rule('', body) } });
    const loaded = await load('ops/a');
    expect(loaded['manifest_body']).toContain(body);
    versions.push(loaded['version']);
  }
  expect(versions).toEqual(['1.0.0', '1.0.0+dev.1', '1.0.0+dev.1', '1.0.0+dev.2']);
});

test('public mode rejects declared or inherited sensitivity above low', async () => {
  await open.ingest('base', {
    packages: { 'ops/parent': versioned('1.0.0', 'sensitivity: medium\n') },
  });
  open.registry.settings.public_mode = true;
  const report = await open.ingest('team', {
    packages: {
      'ops/high': versioned('1.0.0', 'sensitivity: high\n'),
      'ops/child': versioned('1.0.0', 'extends: ops/parent\n'),
      'ops/low': versioned('1.0.0', 'sensitivity: low\n'),
    },
  });
  expect(report.accepted).toBe(1);
  expect(report.rejected.map(({ artifact_id, code }) => `${artifact_id} ${code}`)).toEqual([
    'ops/child ingest.public_mode_rejects_sensitive',
    'ops/high ingest.public_mode_rejects_sensitive',
  ]);
});

test('an id with an appended version is not found', async () => {
  await open.ingest('base', { packages: { 'ops/a': rule('') } });
  await load('ops/a', '1.0.0');
  await expect(load('ops/a@1.0.0')).rejects.toMatchObject({ code: 'registry.not_found' });
});

test('an artifact with a link to a missing artifact is accepted when another layer adds the target', async () => {
  const content = { packages: { 'ops/a': rule('', 'See [b](ops/b).\n') } };
  expect(await open.ingest('base', content)).toMatchObject({
    lint_failures: [{ artifact_id: 'ops/a', code: 'lint.prose_reference' }],
  });
  await open.ingest('team', { packages: { 'ops/b': rule('') } });
  expect(await open.runWaiting()).toEqual(['base']);
  expect(await load('ops/a')).toMatchObject({ id: 'ops/a' });
});

test('an ingest that lost its lease writes no more, and another process continues it', async () => {
  const { registry, context } = open;
  const { store } = registry;
  const ids = Array.from({ length: 2100 }, (_, at) => `ops/a${at}`);
  const packages = Object.fromEntries(ids.map((id) => [id, rule('')]));
  const number = (await store.layers.get(1, 'base'))?.number ?? 0;
  const stored = async (): Promise<number> =>
    (await store.versions.countView(1, [number])).artifact_count;
  let taken: ClaimedJob | undefined;
  // Simulates a pause between two transactions, after which the lease has expired and another process has the job.
  registry.store = {
    ...store,
    async transaction(work) {
      if (taken === undefined && (await stored()) > 0) {
        const late = { now: '3000-01-01T00:00:00.000Z', lease_until: '3000-01-02T00:00:00.000Z' };
        taken = await store.transaction((writes) => writes.jobs.claim({ name: 'other', ...late }));
      }
      return store.transaction(work);
    },
  };
  await expect(open.ingest('base', { packages })).rejects.toMatchObject({
    code: 'registry.unavailable',
    message: expect.stringContaining('another process took over'),
  });
  expect(await stored()).toBe(1000);
  if (taken === undefined) throw new Error('nobody claimed it');
  const report = await runIngest(registry, taken, { report: () => {} }, context.signal);
  expect(report).toMatchObject({ accepted: 1100, idempotent: 1000 });
  expect(await stored()).toBe(2100);
  const { newest } = await store.outbox.bounds(1);
  expect(newest).toBe(2100 + 1);
});

test('an ingest that lost the tenant lock decides nothing more', async () => {
  const { registry } = open;
  const { store } = registry;
  const cut = new AbortController();
  registry.store = {
    ...store,
    locks: { ...store.locks, take: async () => ({ lost: cut.signal, release: async () => {} }) },
    async transaction(work) {
      const result = await store.transaction(work);
      if ((await store.outbox.bounds(1)).newest > 0) cut.abort(new Error('cut off'));
      return result;
    },
  };
  const ids = Array.from({ length: 1100 }, (_, at) => `ops/a${at}`);
  const packages = Object.fromEntries(ids.map((id) => [id, rule('')]));
  await expect(open.ingest('base', { packages })).rejects.toThrow('cut off');
  expect((await store.outbox.bounds(1)).newest).toBe(1000);
});
