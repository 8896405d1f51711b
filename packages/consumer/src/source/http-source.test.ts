import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { startProxy } from '@catalog/testkit/recording-proxy';
import { startRegistry } from '@catalog/testkit/registry-server';
import { sendJson, startFakeServer, type FakeServer } from '@catalog/testkit/fake-server';
import {
  readTree,
  temporaryFolder,
  writeTree,
  type FileTree,
} from '@catalog/testkit/temporary-folder';
import { loadConfig } from '../config/load-config.ts';
import { loadLock } from '../lock/read-lock.ts';
import type { SyncReport } from '../sync/report.ts';
import { runSync } from '../sync/run-sync.ts';
import type { SyncOptions } from '../sync/sync-options.ts';

function skill(name: string, body = 'Do it.'): string {
  return `---\nname: ${name}\ndescription: Does the thing called ${name}.\n---\n${body}\n`;
}

const CATALOG: FileTree = {
  'ops/check/ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\n---\n',
  'ops/check/SKILL.md': skill('check', 'Run scripts/check.sh.'),
  'ops/check/scripts/check.sh': { x: '#!/bin/sh\necho ok\n' },
  'ops/check/assets/logo.bin': new Uint8Array([0, 255, 254, 10, 13, 0]),
  'ops/bare/SKILL.md': skill('bare'),
  'ops/rule/ARTIFACT.md':
    '---\ntype: rule\nversion: 2.1.0\ndescription: A rule for all of us.\nrule_mode: always\n---\nBe kind.\n',
  'ops/broken/ARTIFACT.md': '---\ntype: skill\n',
};

interface Place {
  target: string;
  cache: string;
  sync(
    registry: string,
    options?: Partial<SyncOptions> & { overlay?: string; target?: string },
  ): Promise<SyncReport>;
  tree(): Record<string, string>;
}

function createPlace(): Place {
  const root = temporaryFolder();
  const target = `${root}/work`;
  mkdirSync(target);
  return {
    target,
    cache: `${root}/home/.catalog/cache`,
    sync: (registry, { overlay, target: other, ...options } = {}) =>
      runSync(
        loadConfig({
          cwd: target,
          home: `${root}/home`,
          env: { CATALOG_REGISTRY: registry, CATALOG_HARNESS: 'harness-a' },
          flags: {
            ...(overlay === undefined ? {} : { overlay }),
            ...(other === undefined ? {} : { target: other }),
          },
        }),
        { mode: 'sync', wait_ms: 0, ...options },
      ),
    tree: () => readTree(target, ['.catalog']),
  };
}

function pathsOf({ requests }: FakeServer): string[] {
  return requests.map(({ method, path }) => `${method} ${path}`);
}

function reasons({ targets }: SyncReport): unknown {
  return targets[0]?.rejected.map(({ artifact_id, layer, code, reason }) => ({
    artifact_id,
    layer,
    code,
    reason,
  }));
}

function loadedIds(requests: FakeServer['requests']): string[] {
  return requests
    .filter(({ path }) => path.includes('batchLoad'))
    .flatMap(({ body }) => {
      const { ids }: { ids: string[] } = JSON.parse(body);
      return ids;
    });
}

const MANIFEST = 'GET /v1/sync/manifest';
const BATCH = 'POST /v1/artifacts:batchLoad';

describe('sync over HTTP', () => {
  test('writes the same files as a sync from the folder, with the same rejections', async () => {
    const server = await startRegistry({ layers: { base: CATALOG } });
    const folder = `${temporaryFolder()}/base`;
    writeTree(folder, CATALOG);
    const [here, there] = [createPlace(), createPlace()];
    const fromFolder = await here.sync(folder);
    const fromServer = await there.sync(server.url);
    expect(there.tree()).toEqual(here.tree());
    const [lock, other] = [loadLock(here.target), loadLock(there.target)];
    expect({ ...other, targets: [] }).toEqual({ ...lock, targets: [] });
    expect(other.targets[0]?.registry).toBe(server.url);
    expect(reasons(fromServer)).toEqual(reasons(fromFolder));
    expect(reasons(fromServer)).toHaveLength(1);
  });

  test('sends one manifest request and one batch request, then only the manifest request', async () => {
    const server = await startRegistry({ layers: { base: CATALOG } });
    const proxy = await startProxy(server.url);
    const place = createPlace();
    await place.sync(proxy.url);
    expect(pathsOf(proxy)).toEqual([MANIFEST, BATCH]);
    const again = await place.sync(proxy.url);
    expect(pathsOf(proxy).slice(2)).toEqual([MANIFEST]);
    expect(again.targets[0]).toMatchObject({ changes: [], unchanged: 5 });
    expect(proxy.requests[2]?.headers['if-none-match']).toMatch(/^"view:/);
  });

  test('loads nothing twice: a second target uses the cache', async () => {
    const server = await startRegistry({ layers: { base: CATALOG } });
    const proxy = await startProxy(server.url);
    const place = createPlace();
    await place.sync(proxy.url);
    const other = temporaryFolder();
    await place.sync(proxy.url, { target: other });
    expect(pathsOf(proxy).slice(2)).toEqual([MANIFEST]);
    expect(readTree(other, ['.catalog'])).toEqual(place.tree());
  });

  test('loads only new artifacts', async () => {
    const server = await startRegistry({ layers: { base: CATALOG } });
    const proxy = await startProxy(server.url);
    const place = createPlace();
    await place.sync(proxy.url);
    await server.ingest({
      ...CATALOG,
      'ops/rule/ARTIFACT.md':
        '---\ntype: rule\nversion: 2.2.0\ndescription: A rule for all of us.\nrule_mode: always\n---\nBe kinder.\n',
    });
    const report = await place.sync(proxy.url);
    expect(report.targets[0]?.moved).toEqual([{ id: 'ops/rule', from: '2.1.0', to: '2.2.0' }]);
    const batch = JSON.parse(proxy.requests.at(-1)?.body ?? '');
    const rule = report.targets[0]?.artifacts.find(({ id }) => id === 'ops/rule');
    expect(batch).toEqual({
      ids: ['ops/rule'],
      version_pins: { 'ops/rule': rule?.content_hash },
    });
  });

  test('reports artifacts that the registry newly rejects', async () => {
    const server = await startRegistry({ layers: { base: CATALOG } });
    const place = createPlace();
    await place.sync(server.url);
    await server.ingest({ ...CATALOG, 'ops/worse/ARTIFACT.md': '---\ntype: skill\n' });
    const report = await place.sync(server.url);
    expect(report.targets[0]?.rejected.map(({ artifact_id }) => artifact_id)).toEqual([
      'ops/broken',
      'ops/worse',
    ]);
    await server.ingest(CATALOG);
    expect((await place.sync(server.url)).targets[0]?.rejected).toHaveLength(1);
  });

  test('reports its progress', async () => {
    const many: Record<string, string> = {};
    for (let index = 0; index < 120; index += 1) many[`m/s${index}/SKILL.md`] = skill(`s${index}`);
    const server = await startRegistry({ layers: { base: many } });
    const proxy = await startProxy(server.url);
    const seen: string[] = [];
    await createPlace().sync(proxy.url, {
      onProgress: ({ phase, done, total }) => seen.push(`${phase} ${done}/${total}`),
    });
    expect(seen.filter((line) => line.startsWith('load'))).toEqual(
      expect.arrayContaining(['load 0/120', 'load 120/120']),
    );
    expect(pathsOf(proxy).filter((path) => path === BATCH)).toHaveLength(3);
  });

  test('resumes from the cache after an interrupted load', async () => {
    const many: Record<string, string> = {};
    for (let index = 0; index < 260; index += 1) many[`m/s${index}/SKILL.md`] = skill(`s${index}`);
    const server = await startRegistry({ layers: { base: many } });
    let broken = true;
    let batches = 0;
    const proxy = await startProxy(server.url, ({ path }, body) => {
      if (!path.includes('batchLoad')) return body;
      batches += 1;
      return broken && batches > 2 ? undefined : body;
    });
    const place = createPlace();
    await expect(place.sync(proxy.url)).rejects.toMatchObject({
      code: 'network.registry_unreachable',
    });
    expect(place.tree()).toEqual({});
    broken = false;
    const known = proxy.requests.length;
    await place.sync(proxy.url);
    const loaded = loadedIds(proxy.requests.slice(known));
    expect(loaded.length).toBeLessThan(260);
    expect(Object.keys(place.tree())).toHaveLength(260);
  });

  test('retries after a single dropped connection', async () => {
    const server = await startRegistry({ layers: { base: CATALOG } });
    let dropped = false;
    const proxy = await startProxy(server.url, (_, body) => {
      if (dropped) return body;
      dropped = true;
      return undefined;
    });
    const report = await createPlace().sync(proxy.url);
    expect(report.targets[0]?.artifacts).toHaveLength(3);
  });
});

describe('verification of registry responses', () => {
  test.each([
    ['a manifest', /Be kind/g, 'Be cruel'],
    ['a bundled file', /echo ok/g, 'echo no'],
    ['an executable bit', /"executable":\["scripts\/check.sh"\]/g, '"executable":[]'],
  ])('%s that was changed in transit is rejected, and nothing is written', async (_, from, to) => {
    const server = await startRegistry({ layers: { base: CATALOG } });
    const proxy = await startProxy(server.url, (__, body) =>
      Buffer.from(body.toString('latin1').replace(from, to), 'latin1'),
    );
    const place = createPlace();
    await expect(place.sync(proxy.url)).rejects.toMatchObject({
      code: 'materialize.content_hash_mismatch',
    });
    expect(place.tree()).toEqual({});
  });

  test('a corrupt cache entry is not used', async () => {
    const server = await startRegistry({ layers: { base: CATALOG } });
    const proxy = await startProxy(server.url);
    const place = createPlace();
    await place.sync(proxy.url);
    const before = place.tree();
    const packs = `${place.cache}/packs`;
    for (const name of readdirSync(packs)) {
      const bytes = readFileSync(`${packs}/${name}`);
      writeFileSync(`${packs}/${name}`, bytes.toString('latin1').replace('kind', 'mean'), 'latin1');
    }
    const other = temporaryFolder();
    await place.sync(proxy.url, { target: other });
    expect(readTree(other, ['.catalog'])).toEqual(before);
    expect(pathsOf(proxy).slice(2)).toEqual([MANIFEST, BATCH]);
    expect(JSON.parse(proxy.requests.at(-1)?.body ?? '').ids).toContain('ops/rule');
  });

  test('a file path outside the target is rejected', async () => {
    const server = await startRegistry({ layers: { base: CATALOG } });
    const proxy = await startProxy(server.url, (_, body) =>
      Buffer.from(body.toString().replace('"path":"scripts/check.sh"', '"path":"../../evil.sh"')),
    );
    const place = createPlace();
    await expect(place.sync(proxy.url)).rejects.toMatchObject({
      code: 'materialize.target_invalid',
      message: expect.stringContaining('../../evil.sh'),
    });
  });

  test('an artifact that is listed but not served is named in the error', async () => {
    const server = await startRegistry({ layers: { base: CATALOG } });
    const proxy = await startProxy(server.url, ({ path }, body) =>
      path.includes('batchLoad') ? Buffer.from('[]') : body,
    );
    await expect(createPlace().sync(proxy.url)).rejects.toMatchObject({
      code: 'materialize.fetch_failed',
      message: expect.stringContaining('ops/bare'),
    });
  });

  test('a response that is not from a registry is rejected', async () => {
    const { url } = await startFakeServer((_, response) => sendJson(response, { hello: 'world' }));
    await expect(createPlace().sync(url)).rejects.toMatchObject({
      code: 'network.registry_unreachable',
      message: expect.stringContaining('did not return a manifest'),
    });
  });
});

describe('another store behind the same URL', () => {
  test('is detected even if its revision counters are the same', async () => {
    const first = await startRegistry({ layers: { base: CATALOG } });
    const second = await startRegistry({ layers: { base: { 'ops/new/SKILL.md': skill('new') } } });
    let registry = first.url;
    const proxy = await startFakeServer(async ({ path, method, body, headers }, response) => {
      const known = headers['if-none-match'];
      const answer = await fetch(registry + path, {
        method,
        headers: {
          'content-type': 'application/json',
          ...(known === undefined ? {} : { 'if-none-match': known }),
        },
        ...(body === '' ? {} : { body }),
      });
      const etag = answer.headers.get('etag') ?? '';
      response.writeHead(answer.status, { etag }).end(Buffer.from(await answer.arrayBuffer()));
    });
    const place = createPlace();
    await place.sync(proxy.url);
    registry = second.url;
    const report = await place.sync(proxy.url);
    expect(report.targets[0]?.artifacts.map(({ id }) => id)).toEqual(['ops/new']);
  });
});

describe('overlay on an HTTP registry', () => {
  test('replaces and extends served artifacts, and is current while its files are unchanged', async () => {
    const server = await startRegistry({ layers: { base: CATALOG } });
    const proxy = await startProxy(server.url);
    const overlay = `${temporaryFolder()}/mine`;
    writeTree(overlay, {
      'ops/bare/SKILL.md': skill('bare', 'My way.'),
      'ops/rule/ARTIFACT.md':
        '---\ntype: rule\nversion: 2.1.1\nextends: ops/rule@2.x\ndescription: A rule for me.\n---\n',
      'ops/wrong/ARTIFACT.md':
        '---\ntype: rule\nversion: 1.0.0\nextends: ops/nothing\ndescription: A rule for nobody.\n---\n',
    });
    const folder = `${temporaryFolder()}/base`;
    writeTree(folder, CATALOG);
    const [here, there] = [createPlace(), createPlace()];
    const fromFolder = await here.sync(folder, { overlay });
    const fromServer = await there.sync(proxy.url, { overlay });
    expect(there.tree()).toEqual(here.tree());
    expect(there.tree()['.harness-a/rules/rule.md']).toContain('Be kind.');
    expect(reasons(fromServer)).toEqual(reasons(fromFolder));
    expect({ ...loadLock(there.target), targets: [] }).toEqual({
      ...loadLock(here.target),
      targets: [],
    });
    const known = proxy.requests.length;
    expect((await there.sync(proxy.url, { overlay })).targets[0]?.changes).toEqual([]);
    expect(pathsOf(proxy).slice(known)).toEqual([MANIFEST]);
    writeTree(overlay, { 'ops/bare/SKILL.md': skill('bare', 'Another way.') });
    expect((await there.sync(proxy.url, { overlay })).targets[0]?.changes).toHaveLength(1);
  });

  test('extends a version that the registry keeps but no longer serves', async () => {
    const server = await startRegistry({ layers: { base: CATALOG } });
    const rule = (version: string, body: string): FileTree => ({
      'ops/rule/ARTIFACT.md': `---\ntype: rule\nversion: ${version}\ndescription: A rule for all of us.\nrule_mode: always\n---\n${body}\n`,
    });
    await server.ingest({ ...CATALOG, ...rule('2.2.0', 'Be kinder.') });
    const overlay = `${temporaryFolder()}/mine`;
    const extend = (pin: string): void =>
      writeTree(overlay, {
        'ops/mine/ARTIFACT.md': `---\ntype: rule\nversion: 1.0.0\nextends: ops/rule${pin}\ndescription: A rule for me.\n---\n`,
      });
    const place = createPlace();
    for (const [pin, body] of [
      ['@2.1.0', 'Be kind.'],
      ['@2.1.x', 'Be kind.'],
      ['@2.x', 'Be kinder.'],
      ['', 'Be kinder.'],
    ] as const) {
      extend(pin);
      await place.sync(server.url, { overlay });
      expect(place.tree()['.harness-a/rules/mine.md'], pin).toContain(body);
    }
    extend('@3.x');
    const report = await place.sync(server.url, { overlay });
    expect(reasons(report)).toContainEqual({
      artifact_id: 'ops/mine',
      layer: 'overlay',
      code: 'ingest.invalid_artifact',
      reason: expect.stringMatching(/no version matches; available: 2\.2\.0, 2\.1\.0\.$/),
    });
  });
});
