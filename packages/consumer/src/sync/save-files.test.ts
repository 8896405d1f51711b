import { spawnSync } from 'node:child_process';
import fs, { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { readTree, temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { loadConfig } from '../config/load-config.ts';
import { openLocalState, type LocalState } from '../lock/local-state.ts';
import { lockPath } from '../lock/read-lock.ts';
import { keepLateSaves } from './leftover-files.ts';
import { removeAll } from './remove.ts';
import { readStatus } from '../status.ts';
import { runSync } from './run-sync.ts';
import { withSaver } from './open-user-saver.ts';
import { undoLastSync } from './undo.ts';
import { openSaver, recoverSaves } from './save-files.ts';

const TEXT = 'ours\n';
const NEW_FILE = { bytes: Buffer.from('new\n'), mode: 0o644, durable: true };

function patchLink(call: typeof fs.linkSync): void {
  restoreAtEnd(vi.spyOn(fs, 'linkSync').mockImplementation(call));
}

function patchRename(call: typeof fs.renameSync): void {
  restoreAtEnd(vi.spyOn(fs, 'renameSync').mockImplementation(call));
}

function restoreAtEnd(spy: { mockRestore(): void }): void {
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
}

function openPlace(): { file: string; state: LocalState; directory: string } {
  const root = temporaryFolder();
  const directory = `${root}/work`;
  const state = openLocalState(directory, `${root}/home`);
  mkdirSync(state.folder, { recursive: true });
  const file = `${root}/file.md`;
  writeFileSync(file, TEXT);
  return { file, state, directory };
}

function openSynced() {
  const root = temporaryFolder();
  const author = (edition: number): void =>
    writeTree(`${root}/registry`, {
      'ops/check/SKILL.md': `---\nname: check\ndescription: Checks the thing.\n---\n${edition}\n`,
    });
  author(1);
  mkdirSync(`${root}/work`);
  const env = { CATALOG_REGISTRY: `${root}/registry`, CATALOG_HARNESS: 'harness-a' };
  const input = { cwd: `${root}/work`, home: `${root}/home`, env, flags: {} };
  const sync = () => runSync(loadConfig(input), { mode: 'sync', wait_ms: 0, yes: true });
  return { author, sync, lock: lockPath(`${root}/work`), input, work: `${root}/work` };
}

function error(code: string): Error {
  return Object.assign(new Error(code), { code });
}

function keptIn(directory: string): string[] {
  const names = existsSync(`${directory}/.catalog/kept`)
    ? readdirSync(`${directory}/.catalog/kept`, { recursive: true, encoding: 'utf8' })
    : [];
  const files = names.map((name) => `${directory}/.catalog/kept/${name}`);
  return files
    .filter((path) => fs.statSync(path).isFile() && !path.endsWith('.gitignore'))
    .map((path) => readFileSync(path, 'utf8'));
}

describe('saver whose write fails', () => {
  test('restores the previous file', () => {
    const { file, state } = openPlace();
    patchLink((from, to) => {
      if (to === file && String(from).includes('/w')) throw error('EIO');
      fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
    });
    // Exclusive creation fails as well.
    const open = fs.openSync;
    const spy = vi.spyOn(fs, 'openSync').mockImplementation((path, ...words) => {
      if (path === file && words[0] === 'wx') throw error('EIO');
      return open(path, ...words);
    });
    syncBuiltinESMExports();
    onTestFinished(() => {
      spy.mockRestore();
      syncBuiltinESMExports();
    });
    expect(() => openSaver(state).save(file, NEW_FILE, bytesHash(TEXT))).toThrow('EIO');
    expect(readFileSync(file, 'utf8')).toBe(TEXT);
  });
});

describe('saver on a file system without hard links', () => {
  test('creates the new file exclusively, and keeps the previous one if the path exists', () => {
    const { file, state, directory } = openPlace();
    patchLink(() => {
      throw error('EPERM');
    });
    expect(openSaver(state).save(file, NEW_FILE, bytesHash(TEXT))).toBe('done');
    expect(readFileSync(file, 'utf8')).toBe('new\n');
    const { renameSync } = fs;
    patchRename((from, to) => {
      renameSync(from, to);
      if (from === file) writeFileSync(file, 'theirs\n');
    });
    const saver = openSaver(state);
    expect(saver.save(file, NEW_FILE, bytesHash('new\n'))).toBe('changed');
    expect(readFileSync(file, 'utf8')).toBe('theirs\n');
    expect(saver.kept).toHaveLength(1);
    expect(keptIn(directory)).toEqual(['new\n']);
  });
});

describe('saver with the state folder on another device', () => {
  function separate(state: LocalState, before = (_from: string, _to: string): void => {}): void {
    const { linkSync, renameSync } = fs;
    const isAcross = (from: unknown, to: unknown): boolean =>
      String(from).startsWith(state.folder) !== String(to).startsWith(state.folder);
    patchRename((from, to) => {
      before(String(from), String(to));
      if (isAcross(from, to)) throw error('EXDEV');
      renameSync(from, to);
    });
    patchLink((from, to) => {
      before(String(from), String(to));
      if (isAcross(from, to)) throw error('EXDEV');
      linkSync(from, to);
    });
  }

  test('replaces the file through temporary names in the same folder, and removes them', () => {
    const { file, state, directory } = openPlace();
    separate(state);
    expect(openSaver(state).save(file, NEW_FILE, bytesHash(TEXT))).toBe('done');
    expect(readFileSync(file, 'utf8')).toBe('new\n');
    expect(readdirSync(`${directory}/..`).toSorted()).toEqual(['file.md', 'home', 'work']);
  });

  test('restores a file that a killed save left next to its path', () => {
    const { file, state, directory } = openPlace();
    separate(state);
    const spy = vi.spyOn(fs, 'copyFileSync').mockImplementation(() => {
      throw error('EIO');
    });
    syncBuiltinESMExports();
    try {
      expect(() => openSaver(state).save(file, NEW_FILE, bytesHash(TEXT))).toThrow('EIO');
    } finally {
      spy.mockRestore();
      syncBuiltinESMExports();
    }
    expect(recoverSaves(state)).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe(TEXT);
    expect(readdirSync(`${directory}/..`).toSorted()).toEqual(['file.md', 'home', 'work']);
  });

  test('installs, updates, restores and removes files, and leaves no temporary names', async () => {
    const { author, sync, input, work } = openSynced();
    separate(openLocalState(work, input.home));
    const skill = `${work}/.harness-a/skills/check/SKILL.md`;
    await sync();
    expect(readFileSync(skill, 'utf8')).toContain('1\n');
    author(2);
    await sync();
    expect(readFileSync(skill, 'utf8')).toContain('2\n');
    await undoLastSync(loadConfig(input), { dry_run: false, wait_ms: 0 });
    expect(readFileSync(skill, 'utf8')).toContain('1\n');
    await removeAll(loadConfig(input), { dry_run: false, wait_ms: 0 });
    expect(readTree(work, ['.catalog/state'])).toEqual({});
  });

  test('a sync that fails while it moves a file aside is completed by the next one', async () => {
    const { author, sync, input, work } = openSynced();
    await sync();
    author(2);
    separate(openLocalState(work, input.home));
    const spy = vi.spyOn(fs, 'copyFileSync').mockImplementation((from) => {
      throw error(String(from).endsWith('.old') ? 'EIO' : 'ENOENT');
    });
    syncBuiltinESMExports();
    try {
      await expect(sync()).rejects.toThrow();
    } finally {
      spy.mockRestore();
      syncBuiltinESMExports();
    }
    await sync();
    const folder = `${work}/.harness-a/skills/check`;
    expect(readFileSync(`${folder}/SKILL.md`, 'utf8')).toContain('2\n');
    expect(readdirSync(folder)).toEqual(['SKILL.md']);
  });

  const SKILL = '.harness-a/skills/check/SKILL.md';

  async function syncWhile(move: (skill: string) => void, place = (_skill: string): void => {}) {
    const { author, sync, input, work } = openSynced();
    await sync();
    author(2);
    const skill = `${work}/${SKILL}`;
    separate(openLocalState(work, input.home), (from, to) => {
      if (from === skill && to.endsWith('.old')) move(skill);
      if (to === skill) place(skill);
    });
    const { targets } = await sync();
    return { work, skill, changed: targets[0]?.changed_meanwhile };
  }

  test('keeps a file that another program saves during a sync', async () => {
    const { skill, changed } = await syncWhile((path) => writeFileSync(path, 'theirs\n'));
    expect(changed).toEqual([SKILL]);
    expect(readFileSync(skill, 'utf8')).toBe('theirs\n');
  });

  test('keeps a link that replaces a file during a sync', async () => {
    const { skill, changed } = await syncWhile((path) => {
      fs.writeFileSync(`${path}.real`, readFileSync(path));
      fs.rmSync(path);
      fs.symlinkSync('SKILL.md.real', path);
    });
    expect(changed).toEqual([SKILL]);
    expect(fs.readlinkSync(skill)).toBe('SKILL.md.real');
  });

  test('copies a version to .catalog/kept if its path gets a new file during a sync', async () => {
    const { work, skill } = await syncWhile(
      (path) => writeFileSync(path, 'theirs\n'),
      (path) => writeFileSync(path, 'newer\n'),
    );
    expect(readFileSync(skill, 'utf8')).toBe('newer\n');
    expect(keptIn(work)).toEqual(['theirs\n']);
  });
});

const OTHER_DEVICE = ['/dev/shm', '/var/tmp'].find(
  (path) => existsSync(path) && fs.statSync(path).dev !== fs.statSync(tmpdir()).dev,
);

describe.runIf(OTHER_DEVICE !== undefined)('saver with the home folder on another device', () => {
  function openHome(): string {
    const home = fs.mkdtempSync(`${OTHER_DEVICE}/catalog-home-`);
    onTestFinished(() => fs.rmSync(home, { recursive: true }));
    return home;
  }

  test('keeps the previous version of a replaced file there', async () => {
    const home = openHome();
    const directory = temporaryFolder();
    const file = `${directory}/file.md`;
    writeFileSync(file, TEXT);
    const save = (before: string) =>
      withSaver(home, directory, (saver) => saver.save(file, NEW_FILE, bytesHash(before)));
    expect(await save(TEXT)).toBe('done');
    expect(readFileSync(file, 'utf8')).toBe('new\n');
    expect(Object.values(readTree(`${home}/.catalog/state/saves`))).toContain(TEXT);
    writeFileSync(file, 'theirs\n');
    expect(await save('new\n')).toBe('changed');
    expect(readFileSync(file, 'utf8')).toBe('theirs\n');
    expect(readdirSync(directory)).toEqual(['file.md']);
  });

  test('keeps a removed file there, and restores one that had changed', async () => {
    const home = openHome();
    const directory = temporaryFolder();
    const file = `${directory}/file.md`;
    writeFileSync(file, 'theirs\n');
    const remove = (before: string) =>
      withSaver(home, directory, (saver) => saver.remove(file, bytesHash(before)));
    expect(await remove(TEXT)).toBe('changed');
    expect(readFileSync(file, 'utf8')).toBe('theirs\n');
    expect(await remove('theirs\n')).toBe('done');
    expect(readdirSync(directory)).toEqual([]);
    expect(Object.values(readTree(`${home}/.catalog/state/saves`))).toContain('theirs\n');
  });
});

test('sync keeps bytes written through an open handle during the next run', async () => {
  const { author, sync, work } = openSynced();
  await sync();
  const skill = `${work}/.harness-a/skills/check/SKILL.md`;
  const handle = fs.openSync(skill, 'a');
  onTestFinished(() => fs.closeSync(handle));
  const before = readFileSync(skill, 'utf8');
  author(2);
  await sync();
  author(3);
  const { linkSync } = fs;
  patchLink((from, to) => {
    if (to === skill) fs.writeSync(handle, 'late\n');
    linkSync(from, to);
  });
  const { targets } = await sync();
  const copies = (targets[0]?.kept ?? []).map(({ kept_at }) => `${work}/${kept_at}`);
  expect(copies.map((copy) => readFileSync(copy, 'utf8'))).toEqual([`${before}late\n`]);
});

test('status lists copies of bytes that were written after a sync', async () => {
  const { author, sync, input, work } = openSynced();
  await sync();
  const path = '.harness-a/skills/check/SKILL.md';
  const handle = fs.openSync(`${work}/${path}`, 'a');
  onTestFinished(() => fs.closeSync(handle));
  author(2);
  await sync();
  fs.writeSync(handle, 'late\n');
  const { kept } = await readStatus(loadConfig(input), {});
  expect(kept).toMatchObject([{ directory: work, path }]);
  const copies = kept.map(({ kept_at }) => readFileSync(`${work}/${kept_at}`, 'utf8'));
  expect(copies).toEqual([expect.stringMatching(/late\n$/)]);
  expect((await readStatus(loadConfig(input), {})).kept).toEqual([]);
});

describe('lock file with concurrent programs', () => {
  test('is not overwritten if another program saves it during a sync', async () => {
    const { author, sync, lock } = openSynced();
    await sync();
    author(2);
    const { renameSync } = fs;
    const other_content = `# merged by git\n${readFileSync(lock, 'utf8')}`;
    patchRename((from, to) => {
      if (from === lock) writeFileSync(lock, other_content);
      renameSync(from, to);
    });
    const { targets } = await sync();
    expect(targets[0]?.changed_meanwhile).toEqual(['.catalog/sync.lock']);
    expect(readFileSync(lock, 'utf8')).toBe(other_content);
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    await sync();
    expect(readFileSync(lock, 'utf8')).not.toBe(other_content);
  });

  test('is not removed if another program saves it during a removal', async () => {
    const { sync, lock, input } = openSynced();
    await sync();
    const { linkSync } = fs;
    const other_content = '# merged by git\n';
    patchLink((from, to) => {
      linkSync(from, to);
      if (to === lock) writeFileSync(lock, other_content);
    });
    const remove = () => removeAll(loadConfig(input), { dry_run: false, wait_ms: 0 });
    const { targets } = await remove();
    expect(targets[0]?.changed_meanwhile).toEqual(['.catalog/sync.lock']);
    expect(readFileSync(lock, 'utf8')).toBe(other_content);
  });

  test('keeps late bytes in .catalog/kept after a removal', async () => {
    const { sync, lock, input, work } = openSynced();
    await sync();
    const { linkSync } = fs;
    const handles: number[] = [];
    onTestFinished(() => handles.forEach((handle) => fs.closeSync(handle)));
    patchLink((from, to) => {
      linkSync(from, to);
      if (to === lock) handles.push(fs.openSync(lock, 'a'));
    });
    await removeAll(loadConfig(input), { dry_run: false, wait_ms: 0 });
    expect(existsSync(lock)).toBe(false);
    for (const handle of handles) fs.writeSync(handle, 'late\n');
    const kept = keepLateSaves(openLocalState(work, input.home));
    expect(kept.map(({ path }) => path)).toEqual(['sync.lock']);
    expect(keptIn(work)).toEqual([expect.stringMatching(/late\n$/)]);
  });

  test('is restored before it is read if a killed sync moved it aside', async () => {
    const { author, sync, lock, input } = openSynced();
    await sync();
    const before = readFileSync(lock, 'utf8');
    author(2);
    const script = `
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const { linkSync } = fs;
      fs.linkSync = (from, to) =>
        to.endsWith('/sync.lock') ? process.kill(process.pid, 'SIGKILL') : linkSync(from, to);
      syncBuiltinESMExports();
      const { loadConfig } = await import('@catalog/consumer/config/load-config');
      const { runSync } = await import('@catalog/consumer/sync/run-sync');
      await runSync(loadConfig(${JSON.stringify(input)}), { mode: 'sync', yes: true });`;
    const words = ['--conditions=@catalog/source', '--input-type=module', '-e', script];
    const cwd = import.meta.dirname;
    expect(spawnSync(process.execPath, words, { cwd, encoding: 'utf8' })).toMatchObject({
      stderr: '',
      signal: 'SIGKILL',
    });
    expect(existsSync(lock)).toBe(false);
    const { targets } = await sync();
    expect(targets[0]?.kept).toEqual([]);
    expect(readFileSync(lock, 'utf8')).not.toBe(before);
  });
});
