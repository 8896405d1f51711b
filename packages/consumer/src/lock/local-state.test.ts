import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { openLocalState, type LocalState } from './local-state.ts';

const NAMES = [
  'journal.json',
  'written.lock',
  'index',
  'delivered-to.json',
  'acknowledged-warnings.json',
  'unpublished.json',
  'taken-over.json',
];

function openPlace(): { directory: string; home: string; state: LocalState } {
  const directory = temporaryFolder();
  const home = temporaryFolder();
  const state = openLocalState(directory, home);
  mkdirSync(state.folder, { recursive: true });
  return { directory, home, state };
}

describe.each(NAMES)('the state file %s', (name) => {
  test('is accepted for the user who wrote it, also after the workspace is moved', () => {
    const { home, state } = openPlace();
    state.write(name, 'content');
    expect(state.read(name)?.toString()).toBe('content');
    const moved = openLocalState(temporaryFolder(), home);
    mkdirSync(moved.folder, { recursive: true });
    writeFileSync(`${moved.folder}/${name}`, readFileSync(`${state.folder}/${name}`));
    expect(moved.read(name)?.toString()).toBe('content');
  });

  test.each([
    ['no code', () => 'content'],
    ['a forged code', () => `catalog-mac:${'0'.repeat(64)}\ncontent`],
    ['another content', (sealed: string) => `${sealed}x`],
    ['a code that is cut off', (sealed: string) => sealed.slice(0, 40)],
  ])('is ignored with %s', (_what, forge) => {
    const { state } = openPlace();
    state.write(name, 'content');
    const sealed = readFileSync(`${state.folder}/${name}`, 'latin1');
    writeFileSync(`${state.folder}/${name}`, forge(sealed));
    expect(state.read(name)).toBeUndefined();
  });

  test('is ignored for another user or under another name', () => {
    const { directory, state } = openPlace();
    state.write(name, 'content');
    expect(openLocalState(directory, temporaryFolder()).read(name)).toBeUndefined();
    const other = `other-${name}`;
    writeFileSync(`${state.folder}/${other}`, readFileSync(`${state.folder}/${name}`));
    expect(state.read(other)).toBeUndefined();
    expect(state.readUnverified(other)?.toString()).toBe('content');
  });
});

describe('state key', () => {
  test('has mode 0600, and is replaced if other users could read the file', () => {
    const { directory, home, state } = openPlace();
    state.write('index', 'content');
    const path = `${home}/.catalog/state.key`;
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const key = readFileSync(path, 'utf8');
    chmodSync(path, 0o644);
    const again = openLocalState(directory, home);
    expect(again.read('index')).toBeUndefined();
    again.write('index', 'new');
    expect(readFileSync(path, 'utf8')).not.toBe(key);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(openLocalState(directory, home).read('index')?.toString()).toBe('new');
  });

  test('is not created by reading', () => {
    const { home, state } = openPlace();
    expect(state.read('index')).toBeUndefined();
    expect(() => statSync(`${home}/.catalog`)).toThrow('ENOENT');
  });

  test('is missing without a usable home folder, and all state is then ignored', () => {
    const directory = temporaryFolder();
    const home = temporaryFolder();
    writeFileSync(`${home}/.catalog`, 'a file in the place of the folder');
    const state = openLocalState(directory, home);
    mkdirSync(state.folder, { recursive: true });
    state.write('index', 'content');
    expect(state.read('index')).toBeUndefined();
    expect(state.readUnverified('index')?.toString()).toBe('content');
  });
});
