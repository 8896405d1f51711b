import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import {
  readTree,
  temporaryFolder,
  writeTree,
  type FileTree,
} from '@catalog/testkit/temporary-folder';
import { loadConfig } from '../config/load-config.ts';
import { openLocalState } from '../lock/local-state.ts';
import type { Config, ConfigFlags } from '../config/types.ts';
import { loadLock } from '../lock/read-lock.ts';
import { listOutdated } from './outdated.ts';
import type { Journal } from './journal.ts';
import { removeAll } from './remove.ts';
import type { SyncReport } from './report.ts';
import { runSync } from './run-sync.ts';
import type { SyncOptions } from './sync-options.ts';
import { explainPath } from './why.ts';

function skill(name: string, body = 'Do it.', extra = ''): string {
  return `---\nname: ${name}\ndescription: Does the thing called ${name}.\n${extra}---\n${body}\n`;
}

const SKILL_MANIFEST = '---\ntype: skill\nversion: 1.0.0\n---\n';
const HOOK =
  '---\ntype: hook\nversion: 1.0.0\ndescription: Logs the end of each turn.\nhook_event: stop\nhook_action: bash scripts/log.sh\n---\n';
const SERVER =
  '---\ntype: mcp-server\nname: wh\nversion: 1.0.0\ndescription: Access to the warehouse.\nserver_identifier: npx:wh-mcp\n---\n';

const CATALOG: FileTree = {
  'ops/check/ARTIFACT.md': SKILL_MANIFEST,
  'ops/check/SKILL.md': skill('check', 'Run scripts/check.sh.'),
  'ops/check/scripts/check.sh': { x: '#!/bin/sh\necho ok\n' },
  'ops/log-stop/ARTIFACT.md': HOOK,
  'ops/log-stop/scripts/log.sh': { x: '#!/bin/sh\n' },
  'ops/wh/ARTIFACT.md': SERVER,
};

interface Place {
  registry: string;
  target: string;
  config(flags?: ConfigFlags): Config;
  sync(options?: Partial<SyncOptions>, flags?: ConfigFlags): Promise<SyncReport>;
  remove(): Promise<SyncReport>;
  tree(): Record<string, string>;
  interrupt(journal: Partial<Journal>): void;
}

function createPlace(registry_files: FileTree = CATALOG, workspace: FileTree = {}): Place {
  const root = temporaryFolder();
  const place = { registry: `${root}/registry`, target: `${root}/work` };
  writeTree(place.registry, { '.keep': '', ...registry_files });
  mkdirSync(place.target);
  writeTree(place.target, workspace);
  const config = (flags: ConfigFlags = {}): Config =>
    loadConfig({
      cwd: place.target,
      home: `${root}/home`,
      env: { CATALOG_REGISTRY: place.registry, CATALOG_HARNESS: 'harness-a' },
      flags,
    });
  return {
    ...place,
    config,
    sync: (options = {}, flags = {}) =>
      runSync(config(flags), { mode: 'sync', wait_ms: 0, ...options }),
    remove: () => removeAll(config(), { dry_run: false, wait_ms: 0 }),
    tree: () => readTree(place.target, ['.catalog/sync.lock', '.catalog/state']),
    interrupt: (journal) => {
      const none = { files: [], deletes: [], shared: [], directories: [], aside: [] };
      const state = openLocalState(place.target, `${root}/home`);
      state.write('journal.json', JSON.stringify({ run: 'x', ...none, ...journal }));
    },
  };
}

function changed(report: SyncReport): string[] {
  return report.targets.flatMap(({ changes }) =>
    changes.map(({ path, change }) => `${change} ${path}`),
  );
}

async function refusal(run: Promise<unknown>): Promise<CatalogError> {
  try {
    await run;
  } catch (error) {
    if (error instanceof CatalogError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

describe('first sync', () => {
  test('writes and reports the files of every artifact', async () => {
    const place = createPlace();
    const report = await place.sync();
    expect(changed(report).sort()).toEqual([
      'added .catalog/resources/ops/log-stop/scripts/log.sh',
      'added .harness-a/settings.json',
      'added .harness-a/skills/check/SKILL.md',
      'added .harness-a/skills/check/scripts/check.sh',
      'added .mcp.json',
    ]);
    expect(statSync(`${place.target}/.harness-a/skills/check/scripts/check.sh`).mode & 0o777).toBe(
      0o755,
    );
  });

  test('a second sync has nothing to do and does not rewrite the lock', async () => {
    const place = createPlace();
    await place.sync();
    const lock = statSync(`${place.target}/.catalog/sync.lock`);
    const report = await place.sync();
    expect(changed(report)).toEqual([]);
    expect(report.targets[0]?.unchanged).toBe(5);
    expect(statSync(`${place.target}/.catalog/sync.lock`)).toMatchObject({ ino: lock.ino });
  });

  test.each(['check', 'dry-run'] as const)('%s writes nothing', async (mode) => {
    const place = createPlace();
    const report = await place.sync({ mode });
    expect(changed(report)).toHaveLength(5);
    expect(readTree(place.target)).toEqual({});
  });
});

describe('sync after a registry change', () => {
  test('an edit changes one file, and a removal removes its files and empty folders', async () => {
    const place = createPlace();
    await place.sync();
    writeTree(place.registry, { 'ops/check/SKILL.md': skill('check', 'Changed.') });
    expect(changed(await place.sync())).toEqual(['changed .harness-a/skills/check/SKILL.md']);
    rmSync(`${place.registry}/ops/check`, { recursive: true });
    expect(changed(await place.sync())).toEqual([
      'removed .harness-a/skills/check/SKILL.md',
      'removed .harness-a/skills/check/scripts/check.sh',
    ]);
    expect(existsSync(`${place.target}/.harness-a/skills`)).toBe(false);
    expect(existsSync(`${place.target}/.harness-a/settings.json`)).toBe(true);
  });

  test('completes a removal that was interrupted between two folders', async () => {
    const place = createPlace();
    await place.sync();
    rmSync(`${place.registry}/ops/log-stop`, { recursive: true });
    rmSync(`${place.target}/.catalog/resources/ops/log-stop/scripts`, { recursive: true });
    rmdirSync(`${place.target}/.catalog/resources/ops/log-stop`);
    await place.sync();
    expect(existsSync(`${place.target}/.catalog/resources`)).toBe(false);
  });

  test('detects an edit that keeps size and modification time', async () => {
    const place = createPlace();
    const file = `${place.registry}/ops/check/SKILL.md`;
    const stamp = new Date('2026-01-01');
    utimesSync(file, stamp, stamp);
    await place.sync();
    await place.sync();
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('Run scripts', 'Nur scripts'));
    utimesSync(file, stamp, stamp);
    expect(statSync(file)).toMatchObject({ size: text.length, mtimeMs: stamp.getTime() });
    expect(changed(await place.sync())).toEqual(['changed .harness-a/skills/check/SKILL.md']);
  });

  test('detects an edit within the clock resolution of the last sync', async () => {
    const place = createPlace();
    for (let round = 0; round < 20; round += 1) {
      await place.sync();
      writeTree(place.registry, {
        'ops/check/SKILL.md': skill('check', `Round ${String(round).padStart(2)}.`),
      });
      expect(changed(await place.sync())).toEqual(['changed .harness-a/skills/check/SKILL.md']);
    }
  });

  test('moves the files of a renamed artifact', async () => {
    const place = createPlace();
    await place.sync();
    rmSync(`${place.registry}/ops/check`, { recursive: true });
    writeTree(place.registry, {
      'ops/verify/SKILL.md': skill('verify'),
      'ops/verify/ARTIFACT.md': SKILL_MANIFEST,
    });
    await place.sync();
    expect(Object.keys(place.tree()).filter((path) => path.includes('skills'))).toEqual([
      '.harness-a/skills/verify/SKILL.md',
    ]);
  });

  test('reports a rejected artifact and delivers the others', async () => {
    const place = createPlace();
    writeTree(place.registry, { 'ops/broken/ARTIFACT.md': '---\ntype: [\n---\n' });
    const report = await place.sync();
    expect(report.targets[0]?.rejected).toMatchObject([
      { artifact_id: 'ops/broken', code: 'ingest.invalid_artifact' },
    ]);
    expect(changed(report)).toHaveLength(5);
  });
});

describe('sync with files of the user in the target', () => {
  test('fails before any write if a file of the user has a planned path', async () => {
    const place = createPlace(CATALOG, { '.harness-a/skills/check/SKILL.md': 'mine' });
    const before = readTree(place.target);
    const error = await refusal(place.sync());
    expect(error.code).toBe('materialize.clash');
    expect(error.message).toContain('.harness-a/skills/check/SKILL.md');
    expect(error.message).toContain('ops/check');
    expect(readTree(place.target, ['.catalog'])).toEqual(before);
  });

  test('does not change a file that already has the wanted content', async () => {
    const place = createPlace(CATALOG, {
      '.harness-a/skills/check/SKILL.md': skill('check', 'Run scripts/check.sh.'),
    });
    expect(changed(await place.sync())).not.toContain('changed .harness-a/skills/check/SKILL.md');
  });

  test.each([
    ['the folder of a file', '.harness-a'],
    ['a folder on the way', '.harness-a/skills'],
    ['the file', '.harness-a/skills/check/SKILL.md'],
  ])('does not follow a link in place of %s', async (_what, path) => {
    const place = createPlace();
    const outside = temporaryFolder();
    mkdirSync(dirname(`${place.target}/${path}`), { recursive: true });
    symlinkSync(outside, `${place.target}/${path}`);
    const error = await refusal(place.sync());
    expect(error.code).toBe('materialize.clash');
    expect(readTree(outside)).toEqual({});
  });

  test('does not follow a link in place of a shared file', async () => {
    const place = createPlace();
    const outside = temporaryFolder();
    writeTree(outside, { 'mcp.json': '{}' });
    symlinkSync(`${outside}/mcp.json`, `${place.target}/.mcp.json`);
    expect((await refusal(place.sync())).code).toBe('materialize.target_invalid');
    expect(readTree(outside)).toEqual({ 'mcp.json': '{}' });
  });

  test('restores an edited file and keeps the edit', async () => {
    const place = createPlace();
    await place.sync();
    const file = `${place.target}/.harness-a/skills/check/SKILL.md`;
    writeFileSync(file, 'my own words');
    const report = await place.sync();
    expect(readFileSync(file, 'utf8')).toContain('Run scripts');
    const [kept] = report.targets[0]?.kept ?? [];
    expect(kept?.path).toBe('.harness-a/skills/check/SKILL.md');
    expect(readFileSync(`${place.target}/${kept?.kept_at}`, 'utf8')).toBe('my own words');
  });

  test("keeps an edited file that is no longer wanted, which becomes the user's", async () => {
    const place = createPlace();
    await place.sync();
    writeFileSync(`${place.target}/.harness-a/skills/check/SKILL.md`, 'my own words');
    rmSync(`${place.registry}/ops/check`, { recursive: true });
    await place.sync();
    expect(place.tree()['.harness-a/skills/check/SKILL.md']).toBe('my own words');
    expect(loadLock(place.target).files.map((row) => row.path)).not.toContain(
      '.harness-a/skills/check/SKILL.md',
    );
  });

  test('rejects a lock with paths outside the target', async () => {
    const place = createPlace();
    await place.sync();
    const lock = `${place.target}/.catalog/sync.lock`;
    writeFileSync(
      lock,
      readFileSync(lock, 'utf8').replace('path: .mcp.json', 'path: ../../precious'),
    );
    expect((await refusal(place.sync())).code).toBe('materialize.target_invalid');
  });

  test.each(['.gitignore', 'holder', 'mutex.db'])(
    'writes nothing through a link named %s',
    async (name) => {
      const place = createPlace();
      const outside = temporaryFolder();
      writeTree(outside, { precious: 'mine' });
      mkdirSync(`${place.target}/.catalog/state`, { recursive: true });
      symlinkSync(`${outside}/precious`, `${place.target}/.catalog/state/${name}`);
      expect((await refusal(place.sync())).code).toBe('materialize.target_invalid');
      expect(readTree(outside)).toEqual({ precious: 'mine' });
    },
  );

  test('restores an edited managed entry and keeps the edit', async () => {
    const place = createPlace();
    await place.sync();
    const file = `${place.target}/.mcp.json`;
    const edited = readFileSync(file, 'utf8').replace('wh-mcp', 'my-own-mcp');
    writeFileSync(file, edited);
    const report = await place.sync();
    expect(readFileSync(file, 'utf8')).toContain('wh-mcp');
    const [kept] = report.targets[0]?.kept ?? [];
    expect(kept?.path).toBe('.mcp.json');
    expect(readFileSync(`${place.target}/${kept?.kept_at}`, 'utf8')).toBe(edited);
  });

  test('reports a clash if the output folder is a file', async () => {
    const place = createPlace();
    await place.sync();
    rmSync(`${place.target}/.harness-a`, { recursive: true });
    writeFileSync(`${place.target}/.harness-a`, 'a file');
    expect((await refusal(place.sync())).code).toBe('materialize.clash');
  });
});

describe('sync --remove', () => {
  test('restores the original content of the folder', async () => {
    const workspace = {
      'src/main.ts': 'code',
      '.mcp.json': '{\n\t// mine\n\t"mcpServers": { "own": { "command": "x" } }\n}\n',
      '.harness-a/settings.json': '{"hooks":{},"model":"big"}',
      '.harness-a/skills/own/SKILL.md': 'own',
    };
    const place = createPlace(CATALOG, workspace);
    await place.sync();
    expect(Object.keys(place.tree()).length).toBeGreaterThan(4);
    await place.remove();
    expect(readTree(place.target, ['.catalog/state'])).toEqual(workspace);
    await place.remove();
    expect(readTree(place.target)).toEqual(workspace);
    expect(existsSync(`${place.target}/.catalog`)).toBe(false);
  });

  test('keeps a folder that existed before, even if it is empty', async () => {
    const place = createPlace();
    mkdirSync(`${place.target}/.harness-a/skills`, { recursive: true });
    await place.sync();
    await place.remove();
    expect(existsSync(`${place.target}/.harness-a/skills`)).toBe(true);
    expect(existsSync(`${place.target}/.harness-a/skills/check`)).toBe(false);
  });

  test('keeps its records if it fails', async () => {
    const place = createPlace();
    await place.sync();
    const good = readFileSync(`${place.target}/.mcp.json`, 'utf8');
    writeFileSync(`${place.target}/.mcp.json`, '{ bad');
    expect((await refusal(place.remove())).code).toBe('materialize.target_invalid');
    expect(existsSync(`${place.target}/.catalog/state/mutex.db`)).toBe(true);
    writeFileSync(`${place.target}/.mcp.json`, good);
    await place.remove();
    expect(readTree(place.target, ['.catalog/state'])).toEqual({});
  });
});

describe('lock file of a sync', () => {
  test('--locked succeeds if the registry matches the lock, and otherwise fails before any write', async () => {
    const place = createPlace();
    await place.sync();
    rmSync(`${place.target}/.harness-a/skills`, { recursive: true });
    await place.sync({ locked: true });
    expect(place.tree()).toHaveProperty('.harness-a/skills/check/SKILL.md');
    writeTree(place.registry, { 'ops/check/SKILL.md': skill('check', 'Changed.') });
    const error = await refusal(place.sync({ locked: true }));
    expect(error.code).toBe('materialize.lock_mismatch');
    expect(error.message).toContain('ops/check');
    expect(place.tree()['.harness-a/skills/check/SKILL.md']).not.toContain('Changed');
  });

  test('--locked fails if the registry has an artifact that is not in the lock', async () => {
    const place = createPlace();
    await place.sync();
    writeTree(place.registry, {
      'ops/new/ARTIFACT.md': SKILL_MANIFEST,
      'ops/new/SKILL.md': skill('new'),
    });
    const error = await refusal(place.sync({ locked: true }));
    expect(error.code).toBe('materialize.lock_mismatch');
    expect(error.message).toContain('ops/new: not locked, available 1.0.0');
    expect(place.tree()).not.toHaveProperty('.harness-a/skills/new/SKILL.md');
  });

  test('--locked compares only the targets of the run', async () => {
    const place = createPlace(CATALOG, {
      '.catalog/sync.yaml': 'targets: [{id: one, harness: harness-a, include: ["ops/check"]}]\n',
    });
    const flags = { harness: 'harness-a', include: ['ops/wh'] };
    await place.sync();
    await place.sync({}, flags);
    expect(changed(await place.sync({ locked: true }, flags))).toEqual([]);
  });

  test('--update changes only the given artifacts', async () => {
    const place = createPlace({ ...CATALOG, 'ops/other/SKILL.md': skill('other') });
    await place.sync();
    writeTree(place.registry, {
      'ops/check/SKILL.md': skill('check', 'Changed.'),
      'ops/other/SKILL.md': skill('other', 'Changed.'),
      'ops/new/SKILL.md': skill('new'),
    });
    rmSync(`${place.registry}/ops/wh`, { recursive: true });
    expect((await listOutdated(place.config())).map(({ id, change }) => `${change} ${id}`)).toEqual(
      ['changed ops/check', 'new ops/new', 'changed ops/other', 'removed ops/wh'],
    );
    expect(changed(await place.sync({ update: ['ops/check'] }))).toEqual([
      'changed .harness-a/skills/check/SKILL.md',
    ]);
    expect(place.tree()['.mcp.json']).toContain('wh-mcp');
    expect(place.tree()['.harness-a/skills/other/SKILL.md']).not.toContain('Changed');
    expect(changed(await place.sync({ update: ['ops/other'] }))).toEqual([
      'changed .harness-a/skills/other/SKILL.md',
    ]);
    expect((await listOutdated(place.config())).map(({ id }) => id)).toEqual(['ops/new', 'ops/wh']);
    expect(changed(await place.sync())).toEqual([
      'added .harness-a/skills/new/SKILL.md',
      'removed .mcp.json',
    ]);
  });

  test('toggles last until the next plain sync', async () => {
    const place = createPlace();
    await place.sync();
    await place.sync({ keep_toggles: true, toggle: { ids: ['ops/check'], state: 'disable' } });
    expect(place.tree()).not.toHaveProperty('.harness-a/skills/check/SKILL.md');
    await place.sync({ keep_toggles: true });
    expect(place.tree()).not.toHaveProperty('.harness-a/skills/check/SKILL.md');
    await place.sync();
    expect(place.tree()).toHaveProperty('.harness-a/skills/check/SKILL.md');
    const narrow = { exclude: ['ops/check'] };
    await place.sync(
      { keep_toggles: true, toggle: { ids: ['ops/check'], state: 'enable' } },
      narrow,
    );
    expect(place.tree()).toHaveProperty('.harness-a/skills/check/SKILL.md');
    await place.sync({}, narrow);
    expect(place.tree()).not.toHaveProperty('.harness-a/skills/check/SKILL.md');
  });

  test('explainPath reports the artifact of a file and of an entry', async () => {
    const place = createPlace();
    await place.sync();
    const config = place.config();
    expect(explainPath(config, place.target, '.harness-a/skills/check/SKILL.md')).toMatchObject({
      state: 'as written',
      reasons: [
        { artifact_id: 'ops/check', version: '1.0.0', layer: 'registry', harness: 'harness-a' },
      ],
    });
    expect(explainPath(config, place.target, '.mcp.json')).toMatchObject({
      state: 'shared with you',
      reasons: [{ artifact_id: 'ops/wh', at: ['mcpServers', 'wh'] }],
    });
    expect(explainPath(config, place.target, 'src/main.ts').state).toBe('not written by catalog');
  });

  test('explainPath lists the files of an artifact', async () => {
    const place = createPlace();
    await place.sync();
    const config = place.config();
    expect(explainPath(config, place.target, 'ops/check')).toMatchObject({
      path: 'ops/check',
      state: 'an artifact',
      reasons: [
        {
          artifact_id: 'ops/check',
          version: '1.0.0',
          target: 'default',
          paths: ['.harness-a/skills/check/SKILL.md', '.harness-a/skills/check/scripts/check.sh'],
        },
      ],
    });
    expect(explainPath(config, place.target, 'ops/wh').reasons).toMatchObject([
      { artifact_id: 'ops/wh', paths: ['.mcp.json'] },
    ]);
    expect(explainPath(config, place.target, 'ops/unheard-of').reasons).toEqual([]);
  });

  test('--locked keeps the toggles of the lock', async () => {
    const place = createPlace();
    await place.sync({ keep_toggles: true, toggle: { ids: ['ops/check'], state: 'disable' } });
    await place.sync({ locked: true });
    expect(place.tree()).not.toHaveProperty('.harness-a/skills/check/SKILL.md');
  });
});

describe('sync with unknown names', () => {
  test.each<[string, Partial<SyncOptions>, ConfigFlags, string]>([
    ['an artifact to update', { update: ['ops/chek'] }, {}, 'Did you mean ops/check?'],
    [
      'an artifact to leave out',
      { keep_toggles: true, toggle: { ids: ['ops/chek'], state: 'disable' } },
      {},
      'Did you mean ops/check?',
    ],
    ['a type', {}, { type: ['skil'] }, 'Did you mean skill?'],
  ])('rejects %s that does not exist', async (_what, options, flags, hint) => {
    const place = createPlace();
    await place.sync();
    const before = readTree(place.target);
    const error = await refusal(place.sync(options, flags));
    expect(error.suggested_action).toBe(hint);
    expect(readTree(place.target, ['.catalog/state'])).toEqual(
      Object.fromEntries(
        Object.entries(before).filter(([path]) => !path.startsWith('.catalog/state')),
      ),
    );
  });

  test('reports a file in place of a folder', async () => {
    const place = createPlace(CATALOG, { '.harness-a': 'a file' });
    expect((await refusal(place.sync())).message).toContain(
      'a file in place of the folder .harness-a',
    );
  });
});

describe('several targets in one folder', () => {
  const two = '.catalog/sync.yaml';

  test('share equal files, which are removed with the last target', async () => {
    const place = createPlace(CATALOG, {
      [two]:
        'targets: [{id: one, harness: harness-a, include: ["ops/check"]}, {id: two, harness: harness-a, include: ["ops/check"]}]\n',
    });
    await place.sync();
    expect(loadLock(place.target).files.map(({ path, target }) => `${target} ${path}`)).toEqual([
      'one .harness-a/skills/check/SKILL.md',
      'two .harness-a/skills/check/SKILL.md',
      'one .harness-a/skills/check/scripts/check.sh',
      'two .harness-a/skills/check/scripts/check.sh',
    ]);
    writeTree(place.target, {
      [two]: 'targets: [{id: two, harness: harness-a, include: ["ops/check"]}]\n',
    });
    expect(changed(await place.sync())).toEqual([]);
    writeTree(place.target, {
      [two]: 'targets: [{id: two, harness: harness-a, include: ["nothing/**"]}]\n',
    });
    expect(changed(await place.sync())).toHaveLength(2);
  });

  test('keep their files during a run with flags', async () => {
    const place = createPlace(CATALOG, {
      [two]: 'targets: [{id: one, harness: harness-a, include: ["ops/check"]}]\n',
    });
    await place.sync();
    await place.sync({}, { harness: 'harness-a', include: ['ops/wh'] });
    const paths = Object.keys(place.tree());
    expect(paths).toContain('.harness-a/skills/check/SKILL.md');
    expect(paths).toContain('.mcp.json');
    await place.sync();
    expect(Object.keys(place.tree())).not.toContain('.mcp.json');
  });
});

describe('several target folders', () => {
  const LIST = '.catalog/sync.yaml';
  const twoFolders = (second: string): string =>
    `targets: [{id: a, harness: harness-a, target: A}, {id: b, harness: harness-a, target: ${second}}]\n`;

  test('a folder that missed a change receives it when it is listed again', async () => {
    const place = createPlace(CATALOG, { [LIST]: twoFolders('B') });
    await place.sync();
    writeTree(place.target, { [LIST]: twoFolders('C') });
    writeTree(place.registry, { 'ops/check/SKILL.md': skill('check', 'Second.') });
    await place.sync();
    writeTree(place.target, { [LIST]: twoFolders('B') });
    expect(changed(await place.sync())).toEqual(['changed .harness-a/skills/check/SKILL.md']);
  });

  test('moves the files of a target whose folder changes', async () => {
    const both = (folder: string): string =>
      `targets: [{id: a, harness: harness-a, target: ${folder}, include: ["ops/check"]}, {id: b, harness: harness-a, target: A, include: ["ops/wh"]}]\n`;
    const place = createPlace(CATALOG, { [LIST]: both('A') });
    await place.sync();
    writeTree(place.target, { [LIST]: both('C') });
    await place.sync();
    const skills = Object.keys(place.tree()).filter((path) => path.endsWith('SKILL.md'));
    expect(skills).toEqual(['C/.harness-a/skills/check/SKILL.md']);
  });

  test('a run with flags does not replace an entry that a target of sync.yaml wrote', async () => {
    const place = createPlace(CATALOG, { [LIST]: 'targets: [{id: a, harness: harness-a}]\n' });
    await place.sync();
    const before = place.tree()['.mcp.json'];
    writeTree(place.registry, { 'ops/wh/ARTIFACT.md': SERVER.replace('wh-mcp', 'other-mcp') });
    expect((await refusal(place.sync({}, { harness: 'harness-a' }))).code).toBe(
      'materialize.clash',
    );
    expect(place.tree()['.mcp.json']).toBe(before);
  });

  test('treats one folder with two paths as one', async () => {
    const place = createPlace(CATALOG, { 'A/.keep': '', [LIST]: twoFolders('L') });
    symlinkSync('A', `${place.target}/L`);
    expect(changed(await place.sync())).toContain('added .mcp.json');
  });

  test('plans a target behind a link again when its harness changes', async () => {
    const place = createPlace(CATALOG, { 'A/.keep': '' });
    symlinkSync('A', `${place.target}/L`);
    await place.sync({}, { target: 'L' });
    expect(changed(await place.sync({}, { target: 'L' }))).toEqual([]);
    const report = await place.sync({ allow_removal: true }, { target: 'L', harness: 'none' });
    expect(changed(report)).toContain('added ops/check/SKILL.md');
  });
});

describe('interrupted sync', () => {
  test('writes nothing if interrupted while planning', async () => {
    const place = createPlace();
    const controller = new AbortController();
    const run = runSync(
      place.config(),
      {
        mode: 'sync',
        onProgress: ({ phase }) => {
          if (phase === 'plan') setImmediate(() => controller.abort());
        },
      },
      controller.signal,
    );
    await expect(run).rejects.toThrow('aborted');
    expect(Object.keys(place.tree()).filter((path) => !path.startsWith('.catalog/'))).toEqual([]);
  });

  test('two interruptions in a row leave no orphaned files', async () => {
    const place = createPlace();
    const state = `${place.target}/.catalog/state`;
    const path = '.harness-a/skills/early/SKILL.md';
    await place.sync();
    writeTree(place.target, { [path]: 'of the first run' });
    const row = { path, hash: bytesHash('of the first run') };
    place.interrupt({ files: [row], directories: ['.harness-a/skills/early'] });
    const first = readFileSync(`${state}/journal.json`, 'utf8');
    writeTree(place.registry, { 'ops/check/SKILL.md': skill('check', 'Second.') });

    const signal = Object.assign(new AbortController().signal, {
      throwIfAborted: () => {
        if (readFileSync(`${state}/journal.json`, 'utf8') !== first) throw new Error('aborted');
      },
    });
    const second = runSync(place.config(), { mode: 'sync', wait_ms: 0 }, signal);
    await expect(second).rejects.toThrow('aborted');
    const journal = readFileSync(`${state}/journal.json`, 'utf8');
    expect(JSON.parse(journal.slice(journal.indexOf('\n')))).toMatchObject({
      files: [{ path: '.harness-a/skills/check/SKILL.md' }, row],
      directories: ['.harness-a/skills/early'],
    });
    expect(readdirSync(state).filter((name) => name.startsWith('tmp-'))).toEqual([]);

    await place.sync();
    expect(existsSync(`${place.target}/.harness-a/skills/early`)).toBe(false);
    expect(place.tree()['.harness-a/skills/check/SKILL.md']).toContain('Second');
  });

  test('is repaired even if the registry has changed in the meantime', async () => {
    const place = createPlace();
    await place.sync();
    const lock = readFileSync(`${place.target}/.catalog/sync.lock`);
    writeTree(place.registry, {
      'ops/late/SKILL.md': skill('late'),
      'ops/check/SKILL.md': skill('check', 'Second.'),
    });
    await place.sync();
    writeFileSync(`${place.target}/.catalog/sync.lock`, lock);
    place.interrupt({
      files: ['late', 'check'].map((name) => ({
        path: `.harness-a/skills/${name}/SKILL.md`,
        hash: bytesHash(readFileSync(`${place.target}/.harness-a/skills/${name}/SKILL.md`)),
      })),
    });
    mkdirSync(`${place.target}/.catalog/state/tmp-x`);
    writeFileSync(`${place.target}/.catalog/state/tmp-x/1`, 'torn');
    rmSync(`${place.target}/.catalog/state/index`);
    writeTree(place.registry, {
      'ops/late/SKILL.md': skill('late', 'Third.'),
      'ops/check/SKILL.md': skill('check', 'Third.'),
    });
    const report = await place.sync();
    expect(report.targets[0]?.kept).toEqual([]);
    expect(place.tree()['.harness-a/skills/late/SKILL.md']).toContain('Third');
    expect(existsSync(`${place.target}/.catalog/state/tmp-x`)).toBe(false);
    expect(existsSync(`${place.target}/.catalog/state/journal.json`)).toBe(false);
  });

  test('is repaired even if everything else looks unchanged', async () => {
    const place = createPlace();
    await place.sync();
    const orphan = '.harness-a/rules/orphan.md';
    writeTree(place.target, { [orphan]: 'left behind' });
    place.interrupt({ files: [{ path: orphan, hash: bytesHash('left behind') }] });
    await place.sync();
    expect(existsSync(`${place.target}/${orphan}`)).toBe(false);
  });
});
