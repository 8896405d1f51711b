import { chownSync, lchownSync, mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { loadConfig } from './load-config.ts';
import type { Config, ConfigFlags } from './types.ts';

const OTHER_USER_ID = 12_345;
const isRoot = process.geteuid?.() === 0;

interface Given {
  safe?: string[];
  env?: Record<string, string>;
  flags?: ConfigFlags;
  cwd?: string;
}

interface Place {
  root: string;
  load: (given?: Given) => Config;
}

function openPlace(): Place {
  const root = temporaryFolder();
  const project = `${root}/shared/project`;
  writeTree(root, {
    'shared/project/.catalog/sync.yaml': 'defaults: {registry: /stranger, harness: cursor}\n',
    'shared/project/sub/.keep': '',
    'home/.keep': '',
  });
  chownSync(`${project}/.catalog`, OTHER_USER_ID, OTHER_USER_ID);
  return {
    root,
    load: ({ safe, env = {}, flags = {}, cwd = 'shared/project/sub' } = {}) => {
      const home = `${root}/home`;
      if (safe !== undefined) {
        const list = JSON.stringify(safe);
        writeTree(home, { '.catalog/sync.yaml': `safe_directories: ${list}\n` });
      }
      return loadConfig({ cwd: `${root}/${cwd}`, home, env, flags });
    },
  };
}

describe.runIf(isRoot)('a .catalog folder of another user', () => {
  test('is rejected, with its owner and instructions to allow it', () => {
    const { root, load } = openPlace();
    const folder = `${root}/shared/project`;
    expect(() => load()).toThrow(
      expect.objectContaining({
        code: 'config.unsafe_workspace',
        message: expect.stringContaining(`${folder}/.catalog belongs to another user (uid 12345)`),
        details: { path: `${folder}/.catalog`, owner: OTHER_USER_ID },
        suggested_action: `If you trust the owner, add ${folder} to safe_directories in ${root}/home/.catalog/sync.yaml.`,
      }),
    );
  });

  test('is rejected with --config too, because its overlay and lock would still be used', () => {
    const { root, load } = openPlace();
    writeTree(root, { 'own.yaml': 'defaults: {harness: cursor}\n' });
    const flags = { config: `${root}/own.yaml` };
    expect(() => load({ flags })).toThrow(
      expect.objectContaining({ code: 'config.unsafe_workspace' }),
    );
  });

  test('is rejected behind a link of the user, and so is a link that another user owns', () => {
    const { root, load } = openPlace();
    mkdirSync(`${root}/linked`);
    symlinkSync(`${root}/shared/project/.catalog`, `${root}/linked/.catalog`);
    mkdirSync(`${root}/own/.catalog`, { recursive: true });
    mkdirSync(`${root}/lured`);
    symlinkSync(`${root}/own/.catalog`, `${root}/lured/.catalog`);
    lchownSync(`${root}/lured/.catalog`, OTHER_USER_ID, OTHER_USER_ID);
    for (const cwd of ['linked', 'lured']) {
      expect(() => load({ cwd })).toThrow(
        expect.objectContaining({ code: 'config.unsafe_workspace' }),
      );
    }
  });

  test.each([
    ['its folder', (root: string) => [`${root}/shared/project`]],
    ['every folder below one', (root: string) => [`${root}/shared/*`]],
    ['every folder', () => ['*']],
    ['a path from the home folder', () => ['~/../shared/project']],
  ])('is accepted if the user lists %s in safe_directories', (_, list) => {
    const { root, load } = openPlace();
    expect(load({ safe: list(root) }).harness.value).toBe('cursor');
  });

  test.each([
    ['the folder above it', (root: string) => [`${root}/shared`]],
    ['what lies below it', (root: string) => [`${root}/shared/project/*`]],
    ['a name it begins with', (root: string) => [`${root}/shared/proj`, `${root}/sha/*`]],
    ['nothing', () => []],
  ])('is rejected if the user lists %s in safe_directories', (_, list) => {
    const { root, load } = openPlace();
    expect(() => load({ safe: list(root) })).toThrow(
      expect.objectContaining({ code: 'config.unsafe_workspace' }),
    );
  });

  test('is accepted by root only for the user who called sudo', () => {
    const { load } = openPlace();
    expect(load({ env: { SUDO_UID: '12345' } }).harness.value).toBe('cursor');
    for (const SUDO_UID of ['1000', '', '-1', '0x3039', '12345 ']) {
      expect(() => load({ env: { SUDO_UID } })).toThrow(
        expect.objectContaining({ code: 'config.unsafe_workspace' }),
      );
    }
  });

  test('is not searched for with --scope user, which uses the home folder', () => {
    const { root, load } = openPlace();
    expect(load({ flags: { scope: 'user' } }).workspace).toBe(`${root}/home`);
  });
});

describe('safe_directories', () => {
  test.each(['.catalog/sync.yaml', '.catalog/sync.local.yaml'])(
    'is rejected in %s of a workspace',
    (path) => {
      const root = temporaryFolder();
      writeTree(root, {
        [`project/${path}`]: 'defaults: {harness: cursor}\nsafe_directories: ["*"]\n',
        'home/.keep': '',
      });
      const load = (): Config =>
        loadConfig({ cwd: `${root}/project`, home: `${root}/home`, env: {}, flags: {} });
      expect(load).toThrow(
        expect.objectContaining({
          code: 'config.invalid',
          message: expect.stringContaining(
            `${path}:2:1: safe_directories is allowed only in ~/.catalog/sync.yaml.`,
          ),
        }),
      );
    },
  );
});
