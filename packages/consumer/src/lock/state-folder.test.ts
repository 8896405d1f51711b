import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readTree, temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { getLastViewer, rememberCaller } from './delivered-to.ts';
import { clearInterrupted } from '../sync/leftover-files.ts';
import { listSaves } from '../sync/pending-save.ts';
import { openSaver } from '../sync/save-files.ts';
import { acquireTargetLock } from './acquire-target-lock.ts';
import { openLocalState, type LocalState } from './local-state.ts';
import { readLock } from './read-lock.ts';
import { ignoreInGit, makeStateFolder, statePath } from './state-folder.ts';

const NEW_FILE = { bytes: Buffer.from('new\n'), mode: 0o644, durable: false };
const CALLER = { registry: 'https://catalog.example.com', viewer: 'alice' };

function openState(): { directory: string; state: string; local: LocalState; precious: string } {
  const root = temporaryFolder();
  const directory = `${root}/work`;
  const precious = `${root}/precious`;
  makeStateFolder(directory);
  writeFileSync(precious, 'mine');
  const local = openLocalState(directory, `${root}/home`);
  return { directory, state: statePath(directory), local, precious };
}

describe('state files that catalog writes', () => {
  test.each(['delivered-to.json', 'delivered-to.json.next'])(
    'a write replaces a link at %s and does not follow it',
    (name) => {
      const { state, local, precious } = openState();
      symlinkSync(precious, `${state}/${name}`);
      rememberCaller(local, CALLER);
      expect(readFileSync(precious, 'utf8')).toBe('mine');
      expect(getLastViewer(local, CALLER.registry)).toBe('alice');
      expect(statSync(`${state}/delivered-to.json`).mode & 0o777).toBe(0o600);
    },
  );

  test.each(['delivered-to.json', 'delivered-to.json.next'])(
    'a write does not block on a pipe at %s',
    (name) => {
      const { state, local } = openState();
      execFileSync('mkfifo', [`${state}/${name}`]);
      rememberCaller(local, CALLER);
      expect(getLastViewer(local, CALLER.registry)).toBe('alice');
    },
  );

  test('a write does not follow a link at .gitignore', () => {
    const { directory, precious } = openState();
    const kept = `${directory}/.catalog/kept`;
    mkdirSync(kept);
    symlinkSync(precious, `${kept}/.gitignore`);
    ignoreInGit(kept);
    expect(readFileSync(precious, 'utf8')).toBe('mine');
    expect(readFileSync(`${kept}/.gitignore`, 'utf8')).toBe('*\n');
  });

  test.each(['holder', '.gitignore'])(
    'a write does not change the other name of a hard link at %s',
    async (name) => {
      const { directory, state, precious } = openState();
      chmodSync(precious, 0o640);
      rmSync(`${state}/${name}`, { force: true });
      linkSync(precious, `${state}/${name}`);
      const hold = await acquireTargetLock(directory, { wait_ms: 0 });
      hold.release();
      expect(readFileSync(precious, 'utf8')).toBe('mine');
      expect(statSync(precious).mode & 0o777).toBe(0o640);
      expect(statSync(`${state}/${name}`).nlink).toBe(1);
    },
  );

  test('ignoreInGit completes a truncated .gitignore without renaming a file', () => {
    const { directory, state } = openState();
    const names = readdirSync(state);
    writeFileSync(`${state}/.gitignore`, '*');
    makeStateFolder(directory);
    expect(readFileSync(`${state}/.gitignore`, 'utf8')).toBe('*\n');
    expect(readdirSync(state)).toEqual(names);
  });
});

describe('state folder from a clone', () => {
  const ASIDE = '0'.repeat(32);

  test.each(['saves', 'saves/x', 'undo', 'undo.next', 'tmp-x'])(
    'does not move or remove the target of a link at %s',
    (name) => {
      const { directory, state, local } = openState();
      const outside = `${temporaryFolder()}/outside`;
      writeTree(outside, { aside: 'mine', [ASIDE]: 'mine', 'project/aside': 'mine' });
      const before = readTree(outside);
      if (name === 'saves/x') mkdirSync(`${state}/saves`);
      symlinkSync(outside, `${state}/${name}`);
      expect(listSaves(local)).toEqual([]);
      makeStateFolder(directory);
      clearInterrupted(local, undefined);
      openSaver(local).save(`${directory}/f`, NEW_FILE, undefined);
      expect(readTree(outside)).toEqual(before);
      expect(existsSync(`${directory}/.catalog/kept`)).toBe(false);
    },
  );

  test.each(['saves', 'undo', 'undo.next'])(
    'fails with a clear message if %s is a file',
    (name) => {
      const { directory, state } = openState();
      writeFileSync(`${state}/${name}`, '');
      expect(() => makeStateFolder(directory)).toThrow(`${state}/${name} is not a folder`);
    },
  );

  test.each(['journal.json', 'written.lock', 'index', '.gitignore'])(
    'fails with a clear message if %s is a folder',
    (name) => {
      const { directory, state } = openState();
      rmSync(`${state}/${name}`, { force: true });
      mkdirSync(`${state}/${name}`);
      expect(() => makeStateFolder(directory)).toThrow(`${state}/${name} is not a regular file`);
    },
  );

  test('ignores a link to the state of another workspace', () => {
    const { state, local } = openState();
    const other = openLocalState(temporaryFolder(), `${local.directory}/../home`);
    makeStateFolder(other.directory);
    other.write('written.lock', 'rows');
    symlinkSync(`${other.folder}/written.lock`, `${state}/written.lock`);
    expect(other.read('written.lock')?.toString()).toBe('rows');
    expect(local.read('written.lock')).toBeUndefined();
  });

  test('fails with a clear message if the .gitignore of kept files is a folder', () => {
    const { directory } = openState();
    const kept = `${directory}/.catalog/kept`;
    mkdirSync(`${kept}/.gitignore`, { recursive: true });
    expect(() => ignoreInGit(kept)).toThrow(`${kept}/.gitignore is not a regular file`);
  });

  test.each([true, false])('rejects a lock that is a link; the file exists: %s', (exists) => {
    const { directory, precious } = openState();
    symlinkSync(exists ? precious : `${precious}.missing`, `${directory}/.catalog/sync.lock`);
    expect(() => readLock(directory)).toThrow('is a link; catalog does not write through links');
  });
});
