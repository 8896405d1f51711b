import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { openLocalState } from '../lock/local-state.ts';
import { getJournal, parseJournal, type Journal } from './journal.ts';
import { clearInterrupted } from './leftover-files.ts';

const EMPTY: Journal = {
  run: 'x',
  files: [],
  deletes: [],
  shared: [],
  directories: [],
  aside: [],
};

describe('journal', () => {
  test.each([
    { files: [{ path: '.git/config', hash: 'h' }] },
    { files: [{ path: 'a/.GIT/config', hash: 'h' }] },
    { deletes: ['.catalog/sync.yaml'] },
    { deletes: ['.catalog/overlay/x/ARTIFACT.md'] },
    { deleted_again: ['.hg/hgrc'] },
    { shared: [{ path: '.svn/entries' }] },
    { directories: ['.jj'] },
    { aside: [{ path: '.git/config', hash: 'h', name: '0'.repeat(32), original: true }] },
    { aside: [{ path: 'a', hash: 'h', name: '../../../a', original: true }] },
  ])('is ignored if the journal names a path that catalog must not write: %j', (more) => {
    expect(parseJournal(JSON.stringify({ ...EMPTY, ...more }))).toBeUndefined();
    const state = openLocalState(temporaryFolder(), temporaryFolder());
    mkdirSync(state.folder, { recursive: true });
    state.write('journal.json', JSON.stringify({ ...EMPTY, ...more }));
    expect(getJournal(state)).toBeUndefined();
  });

  test('may name files that adapters write in .catalog', () => {
    const files = [{ path: '.catalog/hooks/cline.mjs', hash: 'h' }];
    expect(parseJournal(JSON.stringify({ ...EMPTY, files }))?.files).toEqual(files);
  });

  test('does not remove a temporary file behind a link', () => {
    const root = temporaryFolder();
    const directory = `${root}/work`;
    writeTree(root, { 'outside/.f.catalog-x': 'kept', 'work/in/.f.catalog-x': 'left over' });
    mkdirSync(`${directory}/.catalog/state`, { recursive: true });
    symlinkSync(`${root}/outside`, `${directory}/link`);
    const files = ['link/f', 'in/f'].map((path) => ({ path, hash: 'h' }));
    clearInterrupted(openLocalState(directory, `${root}/home`), { ...EMPTY, files });
    expect(existsSync(`${root}/outside/.f.catalog-x`)).toBe(true);
    expect(existsSync(`${directory}/in/.f.catalog-x`)).toBe(false);
  });
});

describe('journal that this user did not write', () => {
  test('is ignored', () => {
    const directory = temporaryFolder();
    const own = openLocalState(directory, temporaryFolder());
    const other = openLocalState(directory, temporaryFolder());
    mkdirSync(own.folder, { recursive: true });
    own.write('journal.json', JSON.stringify(EMPTY));
    expect(getJournal(own)).toEqual(EMPTY);
    expect(getJournal(other)).toBeUndefined();
    writeTree(own.folder, { 'journal.json': JSON.stringify(EMPTY) });
    expect(getJournal(own)).toBeUndefined();
  });

  test('does not delete files that its run had moved aside', () => {
    const directory = temporaryFolder();
    const name = '0'.repeat(32);
    writeTree(directory, { [`.catalog/state/undo.next/${name}`]: 'Mine.\n' });
    const state = openLocalState(directory, temporaryFolder());
    const [kept] = clearInterrupted(state, getJournal(state));
    expect(kept?.kept_at).toContain(`.catalog/kept/interrupted/${name}`);
    expect(existsSync(`${directory}/${kept?.kept_at}`)).toBe(true);
  });
});
