import { mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { chooseRoot, type RootChoice } from './choose-root.ts';

interface Given {
  cwd?: string;
  destination?: string;
  roots?: string[];
  materialize_root?: string;
}

function createPlace(): { root: string; choose: (given: Given) => RootChoice } {
  const root = temporaryFolder();
  for (const path of [
    'home/.catalog',
    'home/project/.catalog',
    'home/project/deep/er',
    'home/plain',
    'elsewhere',
    'host',
    'set',
  ]) {
    mkdirSync(`${root}/${path}`, { recursive: true });
  }
  const at = (path: string): string => (path.startsWith('/') ? path : `${root}/${path}`);
  return {
    root,
    choose: ({ cwd = 'home/project/deep/er', destination, roots = [], materialize_root }) =>
      chooseRoot({
        destination,
        roots: roots.map(at),
        materialize_root: materialize_root === undefined ? undefined : at(materialize_root),
        surroundings: { cwd: at(cwd), home: `${root}/home`, env: {} },
      }),
  };
}

describe('chooseRoot', () => {
  test.each([
    ['the folder that is set', { materialize_root: 'set', roots: ['host'] }, 'set'],
    ['else the one the host works in', { roots: ['host', 'elsewhere'] }, 'host'],
    ['else the nearest with a .catalog/', {}, 'home/project'],
    ['a destination in the first of them', { destination: 'sub/x' }, 'home/project/sub/x'],
    [
      'a destination in another',
      { roots: ['host'], destination: 'home/project/y' },
      'host/home/project/y',
    ],
  ])('returns %s', (_name, given, expected) => {
    const { root, choose } = createPlace();
    expect(choose(given)).toEqual({ kind: 'root', root: `${root}/${expected}` });
  });

  test('expands ~ in the configured folder', () => {
    const { root } = createPlace();
    const surroundings = { cwd: root, home: `${root}/home`, env: {} };
    const set = { destination: undefined, roots: [], materialize_root: '~/plain', surroundings };
    expect(chooseRoot(set)).toEqual({ kind: 'root', root: `${root}/home/plain` });
  });

  test('accepts an absolute destination in any allowed folder', () => {
    const { root, choose } = createPlace();
    const destination = `${root}/home/project/new/folder`;
    expect(choose({ roots: ['host'], destination })).toEqual({ kind: 'root', root: destination });
  });

  test('returns a reason if there is no allowed folder', () => {
    const { choose } = createPlace();
    expect(choose({ cwd: 'home/plain' })).toMatchObject({
      kind: 'none',
      reason: expect.stringContaining('CATALOG_MATERIALIZE_ROOT'),
    });
  });

  test.each([
    ['the home folder', { cwd: 'home/plain', roots: ['home'] }],
    ['what lies above it', { cwd: 'home/plain', roots: ['/'] }],
    ['the home folder, even where it is set', { cwd: 'home/plain', materialize_root: 'home' }],
    ['a folder that is not there', { cwd: 'home/plain', roots: ['gone'] }],
    ['what no system takes', { cwd: 'home/plain', roots: ['a\0b', 'x'.repeat(300)] }],
  ])('does not return %s', (_name, given) => {
    const { choose } = createPlace();
    expect(choose(given).kind).toBe('none');
  });

  test.each([
    ['out of the workspace', '../../elsewhere'],
    ['to an absolute folder elsewhere', '/etc'],
    ["into git's own folder", '.git/hooks'],
    ["into git's own folder, by another name", '.GIT/hooks'],
    ['to what no system takes', 'sub\0x'],
    ["into catalog's own folder", 'sub/.catalog/state'],
    ['through a link', 'link/x'],
    ['into the home folder', '~/.config'],
  ])('rejects a destination that leads %s', (_name, destination) => {
    const { root, choose } = createPlace();
    symlinkSync(`${root}/elsewhere`, `${root}/home/project/link`);
    expect(() => choose({ destination })).toThrow(
      expect.objectContaining({ code: 'materialize.target_invalid' }),
    );
  });

  test('rejects a destination if no folder is allowed', () => {
    const { root, choose } = createPlace();
    expect(() => choose({ cwd: 'home/plain', destination: `${root}/elsewhere` })).toThrow(
      'No folder is allowed',
    );
  });
});
