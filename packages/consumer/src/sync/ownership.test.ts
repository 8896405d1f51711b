import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import {
  readTree,
  temporaryFolder,
  writeTree,
  type FileTree,
} from '@catalog/testkit/temporary-folder';
import { loadAdapters } from '../adapters/load-adapters.ts';
import { loadConfig } from '../config/load-config.ts';
import type { Config } from '../config/types.ts';
import { openLocalState } from '../lock/local-state.ts';
import { openFolderSource } from '../source/folder-source.ts';
import { deliver } from './deliver.ts';
import { groupByDirectory } from './group-targets.ts';
import type { Journal } from './journal.ts';
import { removeAll } from './remove.ts';
import { runSync } from './run-sync.ts';
import type { SyncOptions } from './sync-options.ts';
import { undoLastSync, type UndoReport } from './undo.ts';

const REVIEW = '.claude/skills/review/SKILL.md';
const SERVERS = '.mcp.json';

function skill(name: string, body: string, more: FileTree = {}): FileTree {
  const files: FileTree = {
    'ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\n---\n',
    'SKILL.md': `---\nname: ${name}\ndescription: Does the thing called ${name}.\n---\n${body}\n`,
    ...more,
  };
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [`ops/${name}/${path}`, text]),
  );
}

function server(name: string): FileTree {
  return {
    [`ops/${name}/ARTIFACT.md`]: `---\ntype: mcp-server\nname: ${name}\nversion: 1.0.0\ndescription: Access to the database.\nserver_identifier: npx:${name}-mcp\n---\n`,
  };
}

interface Place {
  work: string;
  config(): Config;
  sync(options?: Partial<SyncOptions>): Promise<unknown>;
  undo(): Promise<UndoReport>;
  remove(): Promise<unknown>;
  publish(files: FileTree): void;
  write(path: string, text: string): void;
  read(path: string): string;
  tree(): Record<string, string>;
  interrupt(journal: Partial<Journal>): void;
}

const NO_JOURNAL: Journal = {
  run: 'r1',
  files: [],
  deletes: [],
  shared: [],
  directories: [],
  aside: [],
};

function createPlace(registry: FileTree): Place {
  const root = temporaryFolder();
  const work = `${root}/work`;
  const state = `${work}/.catalog/state`;
  const publish = (files: FileTree): void => {
    rmSync(`${root}/registry`, { recursive: true, force: true });
    writeTree(`${root}/registry`, { '.keep': '', ...files });
  };
  publish(registry);
  writeTree(work, {
    '.catalog/sync.yaml': `defaults: {registry: ${root}/registry, harness: claude-code}\n`,
  });
  const env = { CATALOG_REGISTRY: `${root}/registry` };
  const config = (): Config => loadConfig({ cwd: work, home: `${root}/home`, env, flags: {} });
  return {
    work,
    config,
    publish,
    sync: (options = {}) =>
      runSync(config(), {
        mode: 'sync',
        wait_ms: 0,
        allow_removal: true,
        ...options,
      }),
    undo: () => undoLastSync(config(), { dry_run: false, wait_ms: 0 }),
    remove: () => removeAll(config(), { dry_run: false, wait_ms: 0 }),
    write: (path, text) => writeTree(work, { [path]: text }),
    read: (path) => readFileSync(`${work}/${path}`, 'utf8'),
    tree: () => readTree(work, ['.catalog']),
    interrupt: (journal) => {
      mkdirSync(state, { recursive: true });
      for (const path of ['../sync.lock', 'written.lock', 'index', 'undo']) {
        rmSync(`${state}/${path}`, { recursive: true, force: true });
      }
      const whole: Journal = { ...NO_JOURNAL, ...journal };
      openLocalState(work, `${root}/home`).write('journal.json', JSON.stringify(whole));
    },
  };
}

describe('after an interrupted sync', () => {
  test("a file the user created at a planned path remains the user's", async () => {
    const place = createPlace(skill('review', 'Do it.'));
    place.write(REVIEW, 'Mine.\n');
    place.interrupt({ files: [{ path: REVIEW, hash: bytesHash('Something else.\n') }] });
    await expect(place.sync()).rejects.toMatchObject({ code: 'materialize.clash' });
    await place.remove();
    expect(place.tree()).toEqual({ [REVIEW]: 'Mine.\n' });
  });

  test("an entry the user created at a planned position remains the user's", async () => {
    const place = createPlace(server('db'));
    await place.sync();
    const journal = place.read('.catalog/state/undo/journal.json');
    const { owned } = JSON.parse(journal.slice(journal.indexOf('\n'))).shared[0];
    place.write(SERVERS, '{"mcpServers": {"db": {"command": "mine"}}}\n');
    place.interrupt({ shared: [{ path: SERVERS, after: bytesHash('{}'), owned }] });
    await expect(place.sync()).rejects.toMatchObject({ code: 'materialize.clash' });
    await place.remove();
    expect(place.tree()).toEqual({ [SERVERS]: '{"mcpServers": {"db": {"command": "mine"}}}\n' });
  });

  test('undo also reverts the interrupted sync that the last one completed', async () => {
    for (const next of [skill('review', 'Do it again.'), skill('other', 'Do it.')]) {
      const place = createPlace(skill('review', 'Do it.'));
      await place.sync();
      place.interrupt({
        files: [{ path: REVIEW, hash: bytesHash(place.read(REVIEW)) }],
        directories: ['.claude'],
      });
      place.publish(next);
      await place.sync();
      await place.undo();
      expect(place.tree()).toEqual({});
    }
  });

  test('undo reverts a sync that only wrote the lock of the interrupted one', async () => {
    const place = createPlace(skill('review', 'Do it.'));
    await place.sync();
    place.interrupt({
      files: [{ path: REVIEW, hash: bytesHash(place.read(REVIEW)) }],
      directories: ['.claude'],
    });
    await place.sync();
    await place.undo();
    expect(place.tree()).toEqual({});
  });

  test('undo restores a file replaced by --take-over, even if the lock was already written', async () => {
    const place = createPlace(skill('review', 'Do it.'));
    place.write(REVIEW, 'Mine.\n');
    await place.sync({ take_over: ['**'] });
    const state = `${place.work}/.catalog/state`;
    renameSync(`${state}/undo/journal.json`, `${state}/journal.json`);
    renameSync(`${state}/undo`, `${state}/undo.next`);
    await place.sync({ take_over: ['**'] });
    await place.undo();
    expect(place.read(REVIEW)).toBe('Mine.\n');
    await expect(place.sync()).rejects.toMatchObject({ code: 'materialize.clash' });
  });

  test('undo reverts a sync that was killed after its last step', async () => {
    const place = createPlace(skill('review', 'Do it.'));
    await place.sync();
    place.publish(skill('review', 'Do it again.'));
    await place.sync();
    const undo = `${place.work}/.catalog/state/undo`;
    renameSync(undo, `${undo}.next`);
    await place.sync();
    await place.undo();
    expect(place.read(REVIEW)).toContain('Do it.');
    await place.remove();
    expect(place.tree()).toEqual({});
  });
});

test('the next sync notices an edit that the user saves during a sync', async () => {
  const place = createPlace(skill('review', 'Do it.'));
  await place.sync();
  const config = place.config();
  const source = {
    ...openFolderSource(config.registry?.value ?? '', undefined),
    viewer: async () => {
      place.write(REVIEW, 'Mine.\n');
      await setTimeout(100);
      return 'user';
    },
  };
  const options: SyncOptions = { mode: 'sync', wait_ms: 0 };
  const run = { config, adapters: await loadAdapters(config, options), source, options };
  await deliver(run, groupByDirectory(config.targets));
  await place.sync();
  expect(place.read(REVIEW)).toContain('Do it.');
  expect(Object.values(readTree(`${place.work}/.catalog/kept`))).toContain('Mine.\n');
});

test('sync does not change a shared file that the user made read-only, although catalog created it', async () => {
  const place = createPlace(server('db'));
  await place.sync();
  const mine = '{"mcpServers": {"mine": {"command": "mine"}}}\n';
  place.write(SERVERS, mine);
  chmodSync(`${place.work}/${SERVERS}`, 0o444);
  await expect(place.sync()).rejects.toMatchObject({ code: 'materialize.target_invalid' });
  expect(place.read(SERVERS)).toBe(mine);
});

describe('sync with a target renamed in sync.yaml', () => {
  const THREE = { ...skill('a', 'A.'), ...skill('b', 'B.'), ...skill('c', 'C.') };
  const list = (place: Place, id: string): void =>
    place.write(
      '.catalog/sync.yaml',
      `defaults: {registry: ../registry}\ntargets: [{id: ${id}, harness: claude-code}]\n`,
    );

  test('keeps the last copy of an artifact that no longer parses', async () => {
    const place = createPlace(skill('review', 'Do it.'));
    list(place, 'one');
    await place.sync();
    list(place, 'two');
    place.publish({ 'ops/review/ARTIFACT.md': '---\ntype: [skill\n---\n' });
    await place.sync();
    expect(place.read(REVIEW)).toContain('Do it.');
    expect(place.read('.catalog/sync.lock')).toContain('target: two');
  });

  test('does not remove all files if the registry is empty', async () => {
    const place = createPlace(THREE);
    list(place, 'one');
    await place.sync();
    const before = place.tree();
    list(place, 'two');
    place.publish({});
    await expect(place.sync({ allow_removal: false })).rejects.toMatchObject({
      code: 'materialize.removal_refused',
    });
    expect(place.tree()).toEqual(before);
  });

  test('replaces all files if the registry has the same number of other files', async () => {
    const place = createPlace(THREE);
    await place.sync();
    place.publish({ ...skill('d', 'D.'), ...skill('e', 'E.'), ...skill('f', 'F.') });
    await place.sync({ allow_removal: false });
    expect(Object.keys(place.tree())).toEqual(
      ['d', 'e', 'f'].map((name) => `.claude/skills/${name}/SKILL.md`),
    );
  });

  test('finds the target again, even if it was the only target of the defaults', async () => {
    const place = createPlace(THREE);
    await place.sync();
    const before = place.tree();
    for (const id of ['one', 'two']) {
      list(place, id);
      await place.sync();
      expect(place.read('.catalog/sync.lock')).not.toContain('target: default');
      expect(place.tree()).toEqual(before);
    }
  });
});

describe('undo', () => {
  test('does not change a shared file that the user edited, and its entries remain managed', async () => {
    const place = createPlace(server('db'));
    await place.sync();
    const edited = place.read(SERVERS).replace('{', '{\n  "mine": true,');
    place.write(SERVERS, edited);
    expect((await place.undo()).folders[0]?.skipped).toEqual([SERVERS]);
    expect(place.read(SERVERS)).toBe(edited);
    await place.remove();
    expect(JSON.parse(place.read(SERVERS))).toEqual({ mine: true });
  });

  test("an entry that the user added after a sync removed its own remains the user's", async () => {
    const place = createPlace({ ...server('db'), ...server('logs') });
    await place.sync();
    place.publish(server('logs'));
    await place.sync();
    const edited = place.read(SERVERS).replace('"logs"', '"db": {"command": "mine"},\n    "logs"');
    place.write(SERVERS, edited);
    await place.undo();
    await place.sync();
    expect(place.read(SERVERS)).toBe(edited);
  });

  test('restores a file replaced by --take-over with its permissions', async () => {
    const place = createPlace(skill('review', 'Do it.'));
    place.write(REVIEW, 'Mine.\n');
    chmodSync(`${place.work}/${REVIEW}`, 0o600);
    await place.sync({ take_over: ['**'] });
    await place.undo();
    expect(place.read(REVIEW)).toBe('Mine.\n');
    expect(statSync(`${place.work}/${REVIEW}`).mode & 0o777).toBe(0o600);
  });

  test('skips a file whose copy is damaged or missing', async () => {
    const place = createPlace(skill('review', 'Do it.'));
    for (const damage of ['damaged', 'gone']) {
      place.publish(skill('review', `Before it is ${damage}.`));
      await place.sync();
      place.publish(skill('review', `After it is ${damage}.`));
      await place.sync();
      const undo = `${place.work}/.catalog/state/undo`;
      const copies = readdirSync(undo).filter((name) => /^[0-9a-f]{32}$/.test(name));
      expect(copies).toHaveLength(1);
      for (const copy of copies) {
        if (damage === 'gone') rmSync(`${undo}/${copy}`);
        else writeFileSync(`${undo}/${copy}`, 'Damaged.\n');
      }
      expect((await place.undo()).folders[0]).toMatchObject({ skipped: [REVIEW], removed: [] });
      expect(place.read(REVIEW)).toContain(`After it is ${damage}.`);
    }
  });

  test('skips a folder that the user created in place of a file', async () => {
    const place = createPlace({ ...skill('review', 'Do it.'), ...skill('other', 'Do it.') });
    await place.sync();
    place.publish(skill('other', 'Do it.'));
    await place.sync();
    place.write(`${REVIEW}/mine.md`, 'Mine.\n');
    expect((await place.undo()).folders[0]?.skipped).toEqual([REVIEW]);
    expect(place.read(`${REVIEW}/mine.md`)).toBe('Mine.\n');
    await place.undo();
  });

  test('restores a folder that was replaced by a file, and the reverse', async () => {
    const first = skill('review', 'Do it.', { 'scripts/run': 'a\n', 'scripts/go/all.sh': 'b\n' });
    const second = skill('review', 'Do it.', { 'scripts/run/all.sh': 'a\n', 'scripts/go': 'b\n' });
    const place = createPlace(first);
    await place.sync();
    const before = place.tree();
    place.publish(second);
    await place.sync();
    expect((await place.undo()).folders[0]?.skipped).toEqual([]);
    expect(place.tree()).toEqual(before);
  });

  test('fails if the lock is missing', async () => {
    const place = createPlace(skill('review', 'Do it.'));
    await place.sync();
    const before = place.tree();
    rmSync(`${place.work}/.catalog/sync.lock`);
    await expect(place.undo()).rejects.toMatchObject({ code: 'materialize.lock_missing' });
    expect(place.tree()).toEqual(before);
  });

  test('after a sync with --recover, files that catalog created remain managed', async () => {
    const place = createPlace(skill('review', 'Do it.'));
    await place.sync();
    rmSync(`${place.work}/.catalog/sync.lock`);
    place.publish(skill('review', 'Do it again.'));
    await place.sync({ recover: true, yes: true });
    await place.undo();
    await place.sync();
    expect(place.read(REVIEW)).toContain('Do it again.');
  });

  test('skips a file that now belongs to the user', async () => {
    const place = createPlace(skill('review', 'Do it.'));
    await place.sync();
    place.publish({ ...skill('review', 'Do it.'), ...skill('other', 'Do it.') });
    await place.sync();
    place.write(REVIEW, 'Mine.\n');
    place.publish(skill('other', 'Do it.'));
    await place.sync();
    await place.undo();
    place.publish(skill('review', 'Do it again.'));
    await expect(place.sync()).rejects.toMatchObject({ code: 'materialize.clash' });
    expect(place.read(REVIEW)).toBe('Mine.\n');
    expect(existsSync(`${place.work}/.catalog/kept`)).toBe(false);
  });
});
