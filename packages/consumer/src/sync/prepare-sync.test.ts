import { mkdirSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTree, temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { installBubblewrap } from '../../../../tools/services/bubblewrap.ts';
import { verifies } from '@catalog/testkit/verifies';
import { loadConfig } from '../config/load-config.ts';
import { loadLock } from '../lock/read-lock.ts';
import type { SyncReport } from './report.ts';
import { runSync } from './run-sync.ts';
import type { SyncOptions } from './sync-options.ts';

function rule(more = ''): string {
  return `---\ntype: rule\nversion: 1.0.0\ndescription: A rule.\n${more}---\nHello.\n`;
}

const AGENT = '---\ntype: agent\nversion: 1.0.0\ndescription: An agent.\n---\nHello.\n';

function createHookScript(word: string): string {
  return `const message = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
    if (message.id === 'ops/bad') { console.error('not this one'); process.exit(3); }
    for (const file of message.files) {
      const text = Buffer.from(file.content_base64, 'base64').toString();
      file.content_base64 = Buffer.from(text.replace('Hello', '${word}')).toString('base64');
    }
    console.log(JSON.stringify(message));`;
}

interface Place {
  home: string;
  sync(options?: Partial<SyncOptions>, path?: string): Promise<SyncReport>;
  tree(): Record<string, string>;
  target: string;
}

function createPlace(registry_files: Record<string, string>, hooks = '', word = 'HELLO'): Place {
  const root = temporaryFolder();
  const [target, home] = [`${root}/work`, `${root}/home`];
  mkdirSync(target);
  writeTree(`${root}/registry`, { '.keep': '', ...registry_files });
  writeTree(home, { '.catalog/sync.yaml': hooks, 'hook.cjs': createHookScript(word) });
  const env = {
    CATALOG_REGISTRY: `${root}/registry`,
    CATALOG_HARNESS: 'harness-a',
  };
  return {
    target,
    home,
    sync: (options = {}, path = temporaryFolder()) =>
      runSync(loadConfig({ cwd: target, home, env: { ...env, PATH: path }, flags: {} }), {
        mode: 'sync',
        wait_ms: 0,
        ...options,
      }),
    tree: () => readTree(target, ['.catalog']),
  };
}

function listed(more = ''): string {
  return `materialize_hooks:\n  - {name: shout, run: [${JSON.stringify(process.execPath)}, ~/hook.cjs], sandbox: unrestricted${more}}\n`;
}

describe('sync with materialization hooks', () => {
  test('requires trust in the file that lists them, and writes the transformed content', async () => {
    const place = createPlace({ 'ops/note/ARTIFACT.md': rule() }, listed());
    await expect(place.sync()).rejects.toMatchObject({
      code: 'config.untrusted',
      details: {
        wants: [
          expect.stringContaining('shout (unrestricted)'),
          `with the script ${place.home}/hook.cjs (new)`,
        ],
      },
    });
    expect(place.tree()).toEqual({});
    await place.sync({ trust: true });
    expect(place.tree()['.harness-a/rules/note.md']).toContain('HELLO');
    await place.sync();
    writeFileSync(`${place.home}/.catalog/sync.yaml`, `${listed()}# edited\n`);
    writeFileSync(`${place.home}/hook.cjs`, createHookScript('hi'));
    await expect(place.sync()).rejects.toMatchObject({ code: 'config.untrusted' });
  });

  test('records the original artifact in the lock, and a second run has nothing to do', async () => {
    const plain = createPlace({ 'ops/note/ARTIFACT.md': rule() });
    await plain.sync();
    const place = createPlace({ 'ops/note/ARTIFACT.md': rule() }, listed());
    await place.sync({ trust: true });
    expect(loadLock(place.target).artifacts).toEqual(loadLock(plain.target).artifacts);
    const { targets } = await place.sync();
    expect(targets[0]?.changes).toEqual([]);
  });

  test('runs a hook again after its script changed', async () => {
    const place = createPlace({ 'ops/note/ARTIFACT.md': rule() }, listed());
    await place.sync({ trust: true });
    writeFileSync(`${place.home}/hook.cjs`, createHookScript('good morning'));
    await expect(place.sync()).rejects.toThrow('runs a script that has changed');
    await place.sync({ trust: true });
    expect(place.tree()['.harness-a/rules/note.md']).toContain('good morning');
  });

  test('runs hooks only for their types and harnesses', async () => {
    const both = { 'ops/note/ARTIFACT.md': rule(), 'ops/helper/ARTIFACT.md': AGENT };
    const place = createPlace(both, listed(', types: [agent]'));
    await place.sync({ trust: true });
    expect(place.tree()['.harness-a/rules/note.md']).toContain('Hello');
    expect(place.tree()['.harness-a/agents/helper.md']).toContain('HELLO');
    const other = createPlace(both, listed(', harnesses: [harness-d]'));
    await other.sync({ trust: true });
    expect(other.tree()['.harness-a/agents/helper.md']).toContain('Hello');
  });

  verifies('ERR-58', 'fails before any write if a hook fails, and names the artifact', async () => {
    const both = { 'ops/note/ARTIFACT.md': rule(), 'ops/bad/ARTIFACT.md': rule() };
    const place = createPlace(both, listed());
    await expect(place.sync({ trust: true })).rejects.toMatchObject({
      code: 'materialize.hook_failed',
      details: { artifact_id: 'ops/bad', hook: 'shout' },
      message: expect.stringContaining('not this one'),
    });
    expect(place.tree()).toEqual({});
  });

  verifies(
    'ERR-59',
    'fails if a hook violates its sandbox, or if no sandbox is available',
    async () => {
      const listing = listed().replace('unrestricted', 'read-only-fs');
      const place = createPlace({ 'ops/note/ARTIFACT.md': rule() }, listing);
      const leaving = `require('node:fs').writeFileSync('/var/tmp/${basename(place.home)}', '');`;
      writeFileSync(`${place.home}/hook.cjs`, leaving);
      await expect(place.sync({ trust: true })).rejects.toMatchObject({
        code: 'materialize.sandbox_unsupported',
      });
      const { folder } = await installBubblewrap();
      await expect(place.sync({}, `${folder}:/usr/bin:/bin`)).rejects.toMatchObject({
        code: 'materialize.sandbox_violation',
        details: { artifact_id: 'ops/note', hook: 'shout' },
      });
      expect(place.tree()).toEqual({});
    },
  );

  test('rejects an unknown profile and an invalid timeout', () => {
    const place = createPlace({}, listed().replace('unrestricted', 'safe'));
    expect(() => place.sync()).toThrow('must be unrestricted, read-only-fs,');
    const timed = createPlace({}, listed(', timeout: soon'));
    expect(() => timed.sync()).toThrow('soon');
  });
});

describe('sync with runtime requirements', () => {
  const NEEDY = {
    'ops/note/ARTIFACT.md': rule(),
    'ops/needy/ARTIFACT.md': rule('runtime_requirements: {system_packages: [no-such-thing]}\n'),
    'ops/odd/ARTIFACT.md': rule('runtime_requirements: {python: "newest"}\n'),
  };

  verifies('ERR-56', 'fails before any write and names each missing requirement', async () => {
    const place = createPlace(NEEDY);
    const failing = place.sync();
    await expect(failing).rejects.toMatchObject({ code: 'materialize.runtime_unavailable' });
    await expect(failing).rejects.toThrow('ops/needy: system package no-such-thing');
    await expect(failing).rejects.toThrow('ops/odd: Python newest');
    expect(place.tree()).toEqual({});
  });

  test('skips the check only with --ignore-runtime', async () => {
    const place = createPlace(NEEDY);
    await place.sync({ ignore_runtime: true });
    expect(Object.keys(place.tree())).toHaveLength(3);
    await place.sync({ ignore_runtime: true });
    await expect(place.sync()).rejects.toMatchObject({ code: 'materialize.runtime_unavailable' });
  });

  test('succeeds if the machine meets the requirements', async () => {
    const met = 'runtime_requirements: {system_packages: [sh]}\n';
    const place = createPlace({ 'ops/note/ARTIFACT.md': rule(met) });
    await place.sync({}, '/usr/bin:/bin');
    expect(Object.keys(place.tree())).toEqual(['.harness-a/rules/note.md']);
  });
});
