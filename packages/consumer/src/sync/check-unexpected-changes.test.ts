import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { startProxy } from '@catalog/testkit/recording-proxy';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { replaceRegistry } from '@catalog/testkit/replaced-registry';
import type { FakeServer } from '@catalog/testkit/fake-server';
import {
  readTree,
  temporaryFolder,
  writeTree,
  type FileTree,
} from '@catalog/testkit/temporary-folder';
import { loadConfig } from '../config/load-config.ts';
import type { Config, ConfigFlags } from '../config/types.ts';
import { loadLock } from '../lock/read-lock.ts';
import { listOutdated } from './outdated.ts';
import type { SyncReport } from './report.ts';
import { runSync } from './run-sync.ts';
import type { SyncOptions } from './sync-options.ts';

function skill(name: string, version: string, body: string, more = ''): FileTree {
  return {
    [`ops/${name}/ARTIFACT.md`]: `---\ntype: skill\nversion: ${version}\n${more}---\n`,
    [`ops/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: Does what ${name} is for.\n---\n${body}\n`,
  };
}

const FIRST: FileTree = { ...skill('check', '1.0.0', 'One.'), ...skill('ship', '1.0.0', 'Ship.') };
const REWRITTEN: FileTree = { ...FIRST, ...skill('check', '1.0.0', 'Another.') };

interface Place {
  root: string;
  config(url: string, flags?: ConfigFlags): Config;
  sync(url: string, options?: Partial<SyncOptions>, flags?: ConfigFlags): Promise<SyncReport>;
  tree(): Record<string, string>;
  body(name?: string): string | undefined;
}

function createPlace(files: FileTree = {}, env: Record<string, string> = {}): Place {
  const folder = temporaryFolder();
  const [root, home] = [`${folder}/work`, `${folder}/home`];
  for (const path of [root, home]) mkdirSync(path);
  writeTree(root, files);
  const config: Place['config'] = (url, flags = {}) =>
    loadConfig({
      cwd: root,
      home,
      env: { CATALOG_REGISTRY: url, CATALOG_HARNESS: 'claude-code', ...env },
      flags,
    });
  return {
    root,
    config,
    sync: (url, options = {}, flags = {}) =>
      runSync(config(url, flags), { mode: 'sync', wait_ms: 0, ...options }),
    tree: () => ({
      ...readTree(root, ['.catalog']),
      lock: readFileSync(`${root}/.catalog/sync.lock`, 'utf8'),
    }),
    body: (name = 'check') =>
      readTree(root, ['.catalog'])[`.claude/skills/${name}/SKILL.md`]?.split('\n').at(-2),
  };
}

async function startRewritten(): Promise<{ place: Place; url: string }> {
  const place = createPlace();
  const first = await startRegistry({ keep: true, layers: { base: FIRST } });
  await place.sync(first.url);
  const { url } = await replaceRegistry(first, { layers: { base: REWRITTEN } });
  return { place, url };
}

async function startDowngraded(more = ''): Promise<{
  place: Place;
  server: RegistryServer;
  proxy: FakeServer;
}> {
  const place = createPlace();
  const server = await startRegistry({ layers: { base: skill('check', '2.0.0', 'Two.', more) } });
  const proxy = await startProxy(server.url);
  await place.sync(proxy.url);
  await server.ingest(skill('check', '1.9.1', 'Back-port.'));
  return { place, server, proxy };
}

function versionRequests({ requests }: FakeServer): string[] {
  return requests.map(({ path }) => path).filter((path) => path.includes('/versions'));
}

describe('sync with changed content under a locked version', () => {
  test.each(['sync', 'check', 'dry-run'] as const)('%s rejects the change', async (mode) => {
    const { place, url } = await startRewritten();
    const before = place.tree();
    const [locked] = loadLock(place.root).artifacts;
    await expect(place.sync(url, { mode })).rejects.toMatchObject({
      code: 'materialize.content_changed',
      details: {
        directory: place.root,
        registry: url,
        changes: [
          {
            kind: 'rewritten',
            id: 'ops/check',
            layer: 'base',
            locked: '1.0.0',
            locked_hash: locked?.content_hash,
            available: '1.0.0',
            available_hash: expect.stringMatching(/^sha256:/),
          },
        ],
      },
      suggested_action: expect.stringContaining('`--accept-changed ops/check`'),
      message: expect.stringMatching(/ops\/check 1\.0\.0: .*sha256:[0-9a-f]{64}, .*sha256:/),
    });
    expect(place.tree()).toEqual(before);
  });

  test('is accepted with its id, and both hashes are reported once', async () => {
    const { place, url } = await startRewritten();
    const [locked] = loadLock(place.root).artifacts;
    const { targets } = await place.sync(url, { accept_changed: ['ops/check'] });
    const [now] = loadLock(place.root).artifacts;
    expect(now?.content_hash).not.toBe(locked?.content_hash);
    expect(targets[0]?.unexpected_changes).toMatchObject([
      {
        kind: 'rewritten',
        id: 'ops/check',
        locked_hash: locked?.content_hash,
        available_hash: now?.content_hash,
      },
    ]);
    expect(place.body()).toBe('Another.');
    const again = await place.sync(url);
    expect(again.targets[0]?.unexpected_changes).toBeUndefined();
  });

  test('is rejected if --accept-changed names another artifact, and with --allow-downgrade', async () => {
    const { place, url } = await startRewritten();
    for (const options of [{ accept_changed: ['ops/ship'] }, { allow_downgrade: true }]) {
      await expect(place.sync(url, options)).rejects.toMatchObject({
        code: 'materialize.content_changed',
      });
    }
    expect(place.body()).toBe('One.');
  });

  test('rejects an unknown id even if nothing changed', async () => {
    const place = createPlace();
    const server = await startRegistry({ layers: { base: FIRST } });
    await place.sync(server.url);
    await expect(place.sync(server.url, { accept_changed: ['ops/chek'] })).rejects.toMatchObject({
      code: 'registry.not_found',
      suggested_action: 'Did you mean ops/check?',
    });
    await expect(place.sync(server.url, { accept_changed: ['ops/check'] })).resolves.toMatchObject({
      targets: [{ changes: [] }],
    });
  });

  test('an update of other artifacts leaves the artifact unchanged; an update of its id is rejected', async () => {
    const place = createPlace();
    const first = await startRegistry({ keep: true, layers: { base: FIRST } });
    await place.sync(first.url);
    const base = { ...REWRITTEN, ...skill('ship', '1.1.0', 'Ship better.') };
    const { url } = await replaceRegistry(first, { layers: { base } });
    await place.sync(url, { update: ['ops/ship'] });
    expect([place.body(), place.body('ship')]).toEqual(['One.', 'Ship better.']);
    await expect(place.sync(url, { update: ['ops/check'] })).rejects.toMatchObject({
      code: 'materialize.content_changed',
    });
    await place.sync(url, { update: ['ops/check'], accept_changed: ['ops/check'] });
    expect(place.body()).toBe('Another.');
  });

  test('is also rejected for another harness in the same folder', async () => {
    const { place, url } = await startRewritten();
    await expect(place.sync(url, {}, { harness: 'codex' })).rejects.toMatchObject({
      code: 'materialize.content_changed',
    });
    expect(place.body()).toBe('One.');
  });

  test('--locked reports the change as a lock mismatch', async () => {
    const { place, url } = await startRewritten();
    await expect(place.sync(url, { locked: true })).rejects.toMatchObject({
      code: 'materialize.lock_mismatch',
    });
  });

  test('a folder registry delivers edits and lower versions', async () => {
    const place = createPlace();
    const folder = `${temporaryFolder()}/base`;
    writeTree(folder, { ...FIRST, ...skill('check', '2.0.0', 'Two.') });
    await place.sync(folder);
    writeTree(folder, skill('check', '2.0.0', 'Edited.'));
    await place.sync(folder);
    expect(place.body()).toBe('Edited.');
    writeTree(folder, skill('check', '1.0.0', 'Lower.'));
    await place.sync(folder);
    expect(place.body()).toBe('Lower.');
  });

  test('an overlay delivers edits and lower versions, even if a served layer has its name', async () => {
    for (const layer of ['base', 'overlay']) {
      const server = await startRegistry({ layers: { [layer]: FIRST } });
      const place = createPlace();
      const overlay = `${place.root}/.catalog/overlay`;
      writeTree(overlay, skill('check', '2.0.0', 'Mine.'));
      await place.sync(server.url);
      writeTree(overlay, skill('check', '2.0.0', 'Mine, edited.'));
      await place.sync(server.url);
      expect(place.body()).toBe('Mine, edited.');
      writeTree(overlay, skill('check', '1.0.0', 'Mine, lower.'));
      await place.sync(server.url);
      expect(place.body()).toBe('Mine, lower.');
    }
  });

  test('a served layer named overlay is not treated as the overlay', async () => {
    const place = createPlace();
    const first = await startRegistry({ keep: true, layers: { overlay: FIRST } });
    await place.sync(first.url);
    const { url } = await replaceRegistry(first, { layers: { overlay: REWRITTEN } });
    await expect(place.sync(url)).rejects.toMatchObject({ code: 'materialize.content_changed' });
  });
});

// Unlike VER-05, consumers must agree to a lower version (SPEC-84).
describe('sync with a lower version', () => {
  test.each(['sync', 'check', 'dry-run'] as const)(
    '%s rejects the lower version after one request about it',
    async (mode) => {
      const { place, proxy } = await startDowngraded();
      const before = place.tree();
      await expect(place.sync(proxy.url, { mode })).rejects.toMatchObject({
        code: 'materialize.downgrade_refused',
        details: {
          changes: [
            { kind: 'downgrade', locked: '2.0.0', available: '1.9.1', locked_status: 'listed' },
          ],
        },
        message: expect.stringContaining('ops/check: version was 2.0.0, is now 1.9.1'),
        suggested_action: expect.stringContaining('`--allow-downgrade`'),
      });
      expect(place.tree()).toEqual(before);
      expect(versionRequests(proxy)).toEqual(['/v1/artifacts/versions?id=ops%2Fcheck']);
    },
  );

  test('sends one request for all targets of a folder, and none for an upgrade', async () => {
    const place = createPlace();
    const server = await startRegistry({ layers: { base: FIRST } });
    const proxy = await startProxy(server.url);
    const flags = { harness: 'claude-code,codex' };
    await place.sync(proxy.url, {}, flags);
    await server.ingest({ ...FIRST, ...skill('check', '2.0.0', 'Two.') });
    await place.sync(proxy.url, {}, flags);
    expect(versionRequests(proxy)).toEqual([]);
    await server.ingest({ ...FIRST, ...skill('check', '1.9.1', 'Back-port.') });
    await expect(place.sync(proxy.url, {}, flags)).rejects.toMatchObject({
      code: 'materialize.downgrade_refused',
    });
    expect(versionRequests(proxy)).toHaveLength(1);
  });

  test('accepts the lower version with --allow-downgrade, without a request', async () => {
    const { place, proxy } = await startDowngraded();
    const { targets } = await place.sync(proxy.url, { allow_downgrade: true });
    expect(targets[0]?.unexpected_changes).toMatchObject([{ locked: '2.0.0', available: '1.9.1' }]);
    expect(place.body()).toBe('Back-port.');
    expect(versionRequests(proxy)).toEqual([]);
  });

  test('accepts the lower version without a flag if the source was reverted', async () => {
    const place = createPlace();
    const [one, two] = [skill('check', '1.0.0', 'One.'), skill('check', '2.0.0', 'Two.')];
    const server = await startRegistry({ layers: { base: one } });
    await server.ingest(two);
    await place.sync(server.url);
    expect(place.body()).toBe('Two.');
    await server.ingest(one);
    const { targets } = await place.sync(server.url);
    expect(targets[0]?.unexpected_changes).toMatchObject([
      { locked: '2.0.0', available: '1.0.0', locked_status: 'rolled_back' },
    ]);
    expect(place.body()).toBe('One.');
    expect(loadLock(place.root).artifacts).toMatchObject([{ id: 'ops/check', version: '1.0.0' }]);
    await server.ingest(two);
    await place.sync(server.url);
    expect(place.body()).toBe('Two.');
  });

  test('accepts the lower version if the registry deprecated the locked version', async () => {
    const { place, proxy } = await startDowngraded('deprecated: true\n');
    const { targets } = await place.sync(proxy.url);
    expect(targets[0]?.unexpected_changes).toMatchObject([{ locked_status: 'deprecated' }]);
    expect(place.body()).toBe('Back-port.');
  });

  test.each([
    ['withdrawn', (body: Buffer) => Buffer.from(markWithdrawn(body, '2.0.0'))],
    ['absent', (body: Buffer) => Buffer.from(leaveOut(body, '2.0.0'))],
  ])('accepts the lower version if the locked version is %s', async (locked_status, change) => {
    const place = createPlace();
    const server = await startRegistry({ layers: { base: skill('check', '2.0.0', 'Two.') } });
    const proxy = await startProxy(server.url, ({ path }, body) =>
      path.includes('/versions') ? change(body) : body,
    );
    await place.sync(proxy.url);
    await server.ingest(skill('check', '1.9.1', 'Back-port.'));
    const { targets } = await place.sync(proxy.url);
    expect(targets[0]?.unexpected_changes).toMatchObject([{ locked_status }]);
    expect(place.body()).toBe('Back-port.');
  });

  test('rejects the lower version if the request about it fails', async () => {
    const place = createPlace();
    const server = await startRegistry({ layers: { base: skill('check', '2.0.0', 'Two.') } });
    const proxy = await startProxy(server.url, ({ path }, body) =>
      path.includes('/versions') ? undefined : body,
    );
    await place.sync(proxy.url);
    await server.ingest(skill('check', '1.9.1', 'Back-port.'));
    await expect(place.sync(proxy.url)).rejects.toMatchObject({
      code: 'materialize.downgrade_refused',
      details: { changes: [{ locked_status: 'unknown' }] },
    });
    expect(place.body()).toBe('Two.');
  });

  test('rejects the lower version from a cache while the registry is unreachable', async () => {
    const place = createPlace({}, { CATALOG_CACHE_MODE: 'offline-first' });
    const server = await startRegistry({
      keep: true,
      layers: { base: skill('check', '1.0.0', 'One.') },
    });
    await place.sync(server.url);
    await server.close();
    const lock = `${place.root}/.catalog/sync.lock`;
    writeFileSync(lock, readFileSync(lock, 'utf8').replace('version: 1.0.0', 'version: 2.0.0'));
    await expect(place.sync(server.url)).rejects.toMatchObject({
      code: 'materialize.downgrade_refused',
      details: { changes: [{ locked_status: 'unknown' }] },
    });
  });

  test('a lower version from another layer is not a downgrade', async () => {
    const place = createPlace();
    const server = await startRegistry({
      layers: { base: skill('check', '1.0.0', 'Base.') },
    });
    await server.ingest(skill('check', '2.0.0', 'Team.', 'extends: ops/check\n'), { id: 'team' });
    await place.sync(server.url);
    expect(place.body()).toBe('Team.');
    await server.ingest(skill('other', '1.0.0', 'Other.'), { id: 'team' });
    await place.sync(server.url);
    expect(place.body()).toBe('Base.');
  });

  test('accepts a lower version of a bare skill without a version', async () => {
    const place = createPlace();
    const bare = (body: string): FileTree => ({
      'ops/check/SKILL.md': `---\nname: check\ndescription: Checks a release.\n---\n${body}\n`,
    });
    const server = await startRegistry({ layers: { base: bare('One.') } });
    await place.sync(server.url);
    for (const body of ['Two.', 'Three.', 'Four.', 'Five.']) {
      await server.ingest(bare(body));
      await place.sync(server.url);
      expect(place.body()).toBe(body);
    }
  });

  test('reports the lower version together with rewritten content', async () => {
    const place = createPlace();
    const first = await startRegistry({
      keep: true,
      layers: { base: { ...FIRST, ...skill('ship', '2.0.0', 'Two.') } },
    });
    await place.sync(first.url);
    const second = await replaceRegistry(first, {
      layers: { base: { ...REWRITTEN, ...skill('ship', '2.0.0', 'Two.') } },
    });
    await second.ingest({ ...REWRITTEN, ...skill('ship', '1.5.0', 'Lower.') });
    await expect(place.sync(second.url)).rejects.toMatchObject({
      code: 'materialize.content_changed',
      details: { changes: [{ id: 'ops/check' }, { id: 'ops/ship', kind: 'downgrade' }] },
      suggested_action: expect.stringContaining('`--accept-changed ops/check --allow-downgrade`'),
    });
    await place.sync(second.url, { accept_changed: ['ops/check'], allow_downgrade: true });
    expect([place.body(), place.body('ship')]).toEqual(['Another.', 'Lower.']);
  });
});

describe('marketplace with rewritten content', () => {
  test('is not rendered until the content is accepted', async () => {
    const place = createPlace({
      '.catalog/sync.yaml':
        'targets:\n  - {id: acme, kind: marketplace, target: ./market, harness: [claude-code], plugins: [{name: ops, include: ["ops/**"]}]}\n',
    });
    const publish = async (url: string, options: Partial<SyncOptions> = {}) => {
      const marketplaces = { env: {} };
      const report = await place.sync(url, { marketplaces, ...options }, { config: true });
      return report.targets[0];
    };
    const first = await startRegistry({ keep: true, layers: { base: FIRST } });
    await publish(first.url);
    const before = readTree(`${place.root}/market`);
    const { url } = await replaceRegistry(first, { layers: { base: REWRITTEN } });
    expect((await publish(url))?.error).toMatchObject({
      code: 'materialize.content_changed',
      details: { directory: `${place.root}/market`, changes: [{ id: 'ops/check' }] },
    });
    expect(readTree(`${place.root}/market`)).toEqual(before);
    expect(await publish(url, { accept_changed: ['ops/check'] })).toMatchObject({
      unexpected_changes: [{ id: 'ops/check' }],
    });
    expect(Object.values(readTree(`${place.root}/market`)).join()).toContain('Another.');
  });
});

describe('outdated with unexpected changes', () => {
  test('shows rewritten content with both hashes', async () => {
    const { place, url } = await startRewritten();
    const [locked] = loadLock(place.root).artifacts;
    expect(await listOutdated(place.config(url))).toMatchObject([
      {
        id: 'ops/check',
        locked: '1.0.0',
        available: '1.0.0',
        change: 'rewritten',
        unexpected: {
          locked_hash: locked?.content_hash,
          available_hash: expect.stringMatching(/^sha256:/),
          refused: true,
        },
      },
    ]);
  });

  test('shows a downgrade, and whether a sync rejects it', async () => {
    const refused = await startDowngraded();
    expect(await listOutdated(refused.place.config(refused.proxy.url))).toMatchObject([
      { change: 'downgrade', locked: '2.0.0', available: '1.9.1', unexpected: { refused: true } },
    ]);
    const followed = await startDowngraded('deprecated: true\n');
    expect(await listOutdated(followed.place.config(followed.proxy.url))).toMatchObject([
      { change: 'downgrade', unexpected: { refused: false, locked_status: 'deprecated' } },
    ]);
  });
});

interface Versions {
  versions: { version: string; withdrawn: boolean }[];
}

function markWithdrawn(body: Buffer, version: string): string {
  const list: Versions = JSON.parse(body.toString());
  for (const entry of list.versions) if (entry.version === version) entry.withdrawn = true;
  return JSON.stringify(list);
}

function leaveOut(body: Buffer, version: string): string {
  const list: Versions = JSON.parse(body.toString());
  return JSON.stringify({
    ...list,
    versions: list.versions.filter((entry) => entry.version !== version),
  });
}
