import { existsSync, readFileSync, rmSync } from 'node:fs';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import {
  readTree,
  temporaryFolder,
  writeTree,
  type FileTree,
} from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../config/load-config.ts';
import type { Config } from '../config/types.ts';
import { removeAll } from './remove.ts';
import type { SyncReport } from './report.ts';
import { runSync } from './run-sync.ts';
import type { SyncOptions } from './sync-options.ts';
import { undoLastSync } from './undo.ts';

const REVIEW = '.claude/skills/review/SKILL.md';
const SERVERS = '.mcp.json';

function skill(body: string): FileTree {
  return {
    'ops/review/SKILL.md': `---\nname: review\ndescription: Reviews a pull request.\nmetadata:\n  version: '1.0.0'\n---\n${body}\n`,
  };
}

function server(identifier: string): FileTree {
  return {
    'ops/db/ARTIFACT.md': `---\ntype: mcp-server\nname: db\nversion: 1.0.0\ndescription: Access to the database.\nserver_identifier: npx:${identifier}\n---\n`,
  };
}

interface Place {
  work: string;
  publish(files: FileTree): void;
  sync(user?: string, options?: Partial<SyncOptions>, harness?: string): Promise<SyncReport>;
  remove(user?: string): Promise<SyncReport>;
  undo(user?: string): Promise<unknown>;
  read(path: string): string;
  tree(): Record<string, string>;
}

function createPlace(registry: FileTree): Place {
  const root = temporaryFolder();
  const work = `${root}/work`;
  const publish = (files: FileTree): void => {
    rmSync(`${root}/registry`, { recursive: true, force: true });
    writeTree(`${root}/registry`, { '.keep': '', ...files });
  };
  publish(registry);
  writeTree(work, { '.keep': '' });
  const env = { CATALOG_REGISTRY: `${root}/registry`, CATALOG_HARNESS: 'claude-code' };
  const config = (user: string, harness?: string): Config =>
    loadConfig({
      cwd: work,
      home: `${root}/${user}`,
      env,
      flags: harness === undefined ? {} : { harness },
    });
  return {
    work,
    publish,
    sync: (user = 'alice', options = {}, harness) =>
      runSync(config(user, harness), { mode: 'sync', wait_ms: 0, allow_removal: true, ...options }),
    remove: (user = 'alice') => removeAll(config(user), { dry_run: false, wait_ms: 0 }),
    undo: (user = 'alice') => undoLastSync(config(user), { dry_run: false, wait_ms: 0 }),
    read: (path) => readFileSync(`${work}/${path}`, 'utf8'),
    tree: () => readTree(work, ['.catalog', '.keep']),
  };
}

describe('lock that another user committed', () => {
  test('does not allow sync to replace a different file of the user', async () => {
    const place = createPlace(skill('Do it.'));
    await place.sync('alice');
    writeTree(place.work, { [REVIEW]: 'Mine.\n' });
    await expect(place.sync('bob')).rejects.toMatchObject({ code: 'materialize.clash' });
    await place.remove('bob');
    expect(place.tree()).toEqual({ [REVIEW]: 'Mine.\n' });
  });

  test('does not allow sync to replace a different entry of the user', async () => {
    const place = createPlace(server('db-1'));
    await place.sync('alice');
    const mine = '{"mcpServers": {"db": {"command": "mine"}}}\n';
    writeTree(place.work, { [SERVERS]: mine });
    await expect(place.sync('bob')).rejects.toMatchObject({ code: 'materialize.clash' });
    await place.remove('bob');
    expect(place.read(SERVERS)).toBe(mine);
  });

  test('allows a second user to update and undo files with exactly its content', async () => {
    const place = createPlace({ ...skill('Do it.'), ...server('db-1') });
    await place.sync('alice');
    const before = place.tree();
    place.publish({ ...skill('Do it again.'), ...server('db-2') });
    await place.sync('bob');
    expect(place.read(REVIEW)).toContain('Do it again.');
    expect(place.read(SERVERS)).toContain('db-2');
    await place.undo('bob');
    expect(place.tree()).toEqual(before);
  });

  test.each([
    ['a file', skill('Do it.'), REVIEW, 'Mine.\n'],
    ['an entry', server('db-1'), SERVERS, '{"mcpServers": {"db": {"command": "mine"}}}\n'],
  ])(
    'does not allow sync to replace %s of the user after an undo of --take-over',
    async (_, files, path, mine) => {
      const place = createPlace(files);
      await place.sync('alice');
      writeTree(place.work, { [path]: mine });
      await place.sync('bob', { take_over: ['**'], yes: true });
      expect(place.read(path)).not.toBe(mine);
      await place.undo('bob');
      await expect(place.sync('bob')).rejects.toMatchObject({ code: 'materialize.clash' });
      await place.remove('bob');
      expect(place.read(path)).toBe(mine);
    },
  );

  test('replacing a folder by a file keeps the backup of a file from --take-over', async () => {
    const script = '.claude/skills/review/scripts/run/all.sh';
    const place = createPlace({
      ...skill('Do it.'),
      'ops/review/scripts/run/all.sh': '#!/bin/sh\n',
    });
    writeTree(place.work, { [script]: 'Mine.\n' });
    await place.sync('alice', { take_over: ['**'], yes: true });
    place.publish({ ...skill('Do it.'), 'ops/review/scripts/run': '#!/bin/sh\n' });
    await place.sync('alice');
    expect(place.read('.claude/skills/review/scripts/run')).toBe('#!/bin/sh\n');
    expect(Object.values(readTree(`${place.work}/.catalog/backup`))).toContain('Mine.\n');
  });

  test('--recover keeps an edit inside a managed block', async () => {
    const place = createPlace({
      'ops/law/ARTIFACT.md':
        '---\ntype: rule\nversion: 1.0.0\ndescription: A rule.\nrule_mode: always\n---\nObey.\n',
    });
    await place.sync('alice', {}, 'codex');
    writeTree(place.work, { 'AGENTS.md': place.read('AGENTS.md').replace('Obey.', 'Never obey.') });
    await place.sync('bob', { recover: true, yes: true }, 'codex');
    expect(place.read('AGENTS.md')).not.toContain('Never obey.');
    const kept = Object.entries(readTree(`${place.work}/.catalog/kept`));
    expect(kept).toContainEqual([
      expect.stringMatching(/^AGENTS\.md\./),
      expect.stringContaining('Never obey.'),
    ]);
  });

  test('allows a second user to remove all files, and to undo the removal', async () => {
    const place = createPlace({ ...skill('Do it.'), ...server('db-1') });
    await place.sync('alice');
    const before = place.tree();
    await place.remove('bob');
    expect(place.tree()).toEqual({});
    await place.undo('bob');
    expect(place.tree()).toEqual(before);
  });

  test('does not delete files that the adapter never writes, and reports them', async () => {
    const place = createPlace(skill('Do it.'));
    await place.sync('alice');
    writeTree(place.work, { 'README.md': 'Read me.\n', 'src/main.ts': 'code\n' });
    const lock = place.read('.catalog/sync.lock');
    const rows = ['README.md', 'src/main.ts'].map(
      (path) =>
        `  - {path: ${path}, hash: ${bytesHash(place.read(path))}, target: claude-code, id: ops/gone}\n`,
    );
    writeTree(place.work, {
      '.catalog/sync.lock': lock.replace('files:\n', `files:\n${rows.join('')}`),
    });
    const { targets } = await place.sync('bob');
    expect(place.tree()).toMatchObject({ 'README.md': 'Read me.\n', 'src/main.ts': 'code\n' });
    expect(targets[0]?.unowned).toEqual(['README.md', 'src/main.ts']);
  });
});

describe('state folder from a clone', () => {
  test('is not used by undo', async () => {
    const place = createPlace(skill('Do it.'));
    await place.sync('alice');
    place.publish(skill('Do it again.'));
    await place.sync('alice');
    // Simulates a clone with a state folder: another user gets the whole folder.
    await expect(place.undo('bob')).rejects.toMatchObject({ code: 'registry.not_found' });
    expect(place.read(REVIEW)).toContain('Do it again.');
  });
});

describe('--recover', () => {
  test('does not claim an existing file of the user, with or without a record', async () => {
    for (const loseState of [false, true]) {
      const place = createPlace(skill('Do it.'));
      await place.sync();
      const content = place.read(REVIEW);
      await place.remove();
      writeTree(place.work, { [REVIEW]: content });
      await place.sync();
      rmSync(`${place.work}/.catalog/sync.lock`);
      if (loseState) rmSync(`${place.work}/.catalog/state`, { recursive: true });
      await place.sync('alice', { recover: true, yes: true });
      await place.remove();
      expect(place.read(REVIEW)).toBe(content);
    }
  });
});

describe('--take-over', () => {
  test.each(['a removal', 'a withdrawal'])("%s restores the user's file and entry", async (how) => {
    const mine =
      '{\n  "mcpServers": {\n    "db": {"command": "mine"},\n    "own": {"command": "x"}\n  }\n}\n';
    const place = createPlace({ ...skill('Do it.'), ...server('db-1') });
    writeTree(place.work, { [REVIEW]: 'Mine.\n', [SERVERS]: mine });
    await place.sync('alice', { take_over: ['**'] });
    expect(place.read(REVIEW)).toContain('Do it.');
    expect(place.read(SERVERS)).toContain('db-1');
    place.publish({});
    const { targets } = how === 'a removal' ? await place.remove() : await place.sync();
    expect(place.read(REVIEW)).toBe('Mine.\n');
    expect(JSON.parse(place.read(SERVERS))).toEqual(JSON.parse(mine));
    expect(targets[0]?.put_back).toEqual([
      { path: REVIEW },
      { path: SERVERS, at: ['mcpServers', 'db'] },
    ]);
  });

  test("keeps an edit of catalog's version instead of restoring the user's file", async () => {
    const place = createPlace(skill('Do it.'));
    writeTree(place.work, { [REVIEW]: 'Mine.\n' });
    await place.sync('alice', { take_over: ['**'] });
    writeTree(place.work, { [REVIEW]: 'Edited.\n' });
    await place.remove();
    expect(place.read(REVIEW)).toBe('Edited.\n');
  });
});

describe('sync --remove', () => {
  test('can be undone, and a second run deletes the copies', async () => {
    const place = createPlace(skill('Do it.'));
    await place.sync();
    const before = place.tree();
    await place.remove();
    await place.undo();
    expect(place.tree()).toEqual(before);
    await place.remove();
    await place.remove();
    await expect(place.undo()).rejects.toMatchObject({ code: 'registry.not_found' });
    expect(existsSync(`${place.work}/.catalog`)).toBe(false);
  });
});
