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

/** A hook that puts a word into every text it is shown, and fails at `ops/bad`. */
function shouting(word: string): string {
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

/** A workspace whose own `sync.yaml` may list hooks. */
function createPlace(catalogue: Record<string, string>, hooks = '', word = 'HELLO'): Place {
  const root = temporaryFolder();
  const [target, home] = [`${root}/work`, `${root}/home`];
  mkdirSync(target);
  writeTree(`${root}/registry`, { '.keep': '', ...catalogue });
  writeTree(home, { '.catalog/sync.yaml': hooks, 'hook.cjs': shouting(word) });
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

describe('hooks in a sync', () => {
  test('run only from a file somebody trusts, and change what is written', async () => {
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
    writeFileSync(`${place.home}/hook.cjs`, shouting('hi'));
    await expect(place.sync()).rejects.toMatchObject({ code: 'config.untrusted' });
  });

  test('leave the artifact what it is in the lock, and a second run with nothing to do', async () => {
    const plain = createPlace({ 'ops/note/ARTIFACT.md': rule() });
    await plain.sync();
    const place = createPlace({ 'ops/note/ARTIFACT.md': rule() }, listed());
    await place.sync({ trust: true });
    expect(loadLock(place.target).artifacts).toEqual(loadLock(plain.target).artifacts);
    const { targets } = await place.sync();
    expect(targets[0]?.changes).toEqual([]);
  });

  test('run again once their own file is another', async () => {
    const place = createPlace({ 'ops/note/ARTIFACT.md': rule() }, listed());
    await place.sync({ trust: true });
    writeFileSync(`${place.home}/hook.cjs`, shouting('good morning'));
    await expect(place.sync()).rejects.toThrow('runs a script that has changed');
    await place.sync({ trust: true });
    expect(place.tree()['.harness-a/rules/note.md']).toContain('good morning');
  });

  test('see the types and harnesses they are for', async () => {
    const both = { 'ops/note/ARTIFACT.md': rule(), 'ops/helper/ARTIFACT.md': AGENT };
    const place = createPlace(both, listed(', types: [agent]'));
    await place.sync({ trust: true });
    expect(place.tree()['.harness-a/rules/note.md']).toContain('Hello');
    expect(place.tree()['.harness-a/agents/helper.md']).toContain('HELLO');
    const other = createPlace(both, listed(', harnesses: [harness-d]'));
    await other.sync({ trust: true });
    expect(other.tree()['.harness-a/agents/helper.md']).toContain('Hello');
  });

  verifies('ERR-58', 'fail the run before the first byte, naming the artifact', async () => {
    const both = { 'ops/note/ARTIFACT.md': rule(), 'ops/bad/ARTIFACT.md': rule() };
    const place = createPlace(both, listed());
    await expect(place.sync({ trust: true })).rejects.toMatchObject({
      code: 'materialize.hook_failed',
      details: { artifact_id: 'ops/bad', hook: 'shout' },
      message: expect.stringContaining('not this one'),
    });
    expect(place.tree()).toEqual({});
  });

  verifies('ERR-59', 'fail the run when one leaves its sandbox, or has none here', async () => {
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
  });

  test('refuse a profile there is not, and a time that is none', () => {
    const place = createPlace({}, listed().replace('unrestricted', 'safe'));
    expect(() => place.sync()).toThrow('must be unrestricted, read-only-fs,');
    const timed = createPlace({}, listed(', timeout: soon'));
    expect(() => timed.sync()).toThrow('soon');
  });
});

describe('runtime requirements in a sync', () => {
  const NEEDY = {
    'ops/note/ARTIFACT.md': rule(),
    'ops/needy/ARTIFACT.md': rule('runtime_requirements: {system_packages: [no-such-thing]}\n'),
    'ops/odd/ARTIFACT.md': rule('runtime_requirements: {python: "newest"}\n'),
  };

  verifies('ERR-56', 'fail it before the first byte, naming each', async () => {
    const place = createPlace(NEEDY);
    const failing = place.sync();
    await expect(failing).rejects.toMatchObject({ code: 'materialize.runtime_unavailable' });
    await expect(failing).rejects.toThrow('ops/needy: system package no-such-thing');
    await expect(failing).rejects.toThrow('ops/odd: Python newest');
    expect(place.tree()).toEqual({});
  });

  test('are left to another machine on request, and only then', async () => {
    const place = createPlace(NEEDY);
    await place.sync({ ignore_runtime: true });
    expect(Object.keys(place.tree())).toHaveLength(3);
    await place.sync({ ignore_runtime: true });
    await expect(place.sync()).rejects.toMatchObject({ code: 'materialize.runtime_unavailable' });
  });

  test('that are met are no obstacle', async () => {
    const met = 'runtime_requirements: {system_packages: [sh]}\n';
    const place = createPlace({ 'ops/note/ARTIFACT.md': rule(met) });
    await place.sync({}, '/usr/bin:/bin');
    expect(Object.keys(place.tree())).toEqual(['.harness-a/rules/note.md']);
  });
});
