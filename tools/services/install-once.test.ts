import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { expect, test } from 'vitest';
import { installOnce } from './install-once.ts';

test('a program is built once, also for two who ask at the same time', async () => {
  const cache = temporaryFolder();
  let builds = 0;
  const build = async (folder: string): Promise<void> => {
    builds += 1;
    writeFileSync(join(folder, 'program'), '');
  };
  const asked = [
    installOnce({ key: 'a-1', build, cache }),
    installOnce({ key: 'a-1', build, cache }),
  ];
  expect(await Promise.all(asked)).toEqual([join(cache, 'a-1'), join(cache, 'a-1')]);
  await installOnce({ key: 'a-1', build, cache });
  expect(builds).toBe(1);
  await installOnce({ key: 'a-2', build, cache });
  expect(builds).toBe(2);
});

test('a build that fails leaves nothing that looks installed, and is tried again', async () => {
  const cache = temporaryFolder();
  const fail = async (folder: string): Promise<void> => {
    writeFileSync(join(folder, 'half'), '');
    throw new Error('no network');
  };
  await expect(installOnce({ key: 'a-1', build: fail, cache })).rejects.toThrow('no network');
  expect(existsSync(join(cache, 'a-1'))).toBe(false);
  const folder = await installOnce({ key: 'a-1', build: async () => undefined, cache });
  expect(existsSync(join(folder, 'half'))).toBe(false);
});

test('what a killed build left is thrown away', async () => {
  const cache = temporaryFolder();
  mkdirSync(join(cache, 'a-1.staging'));
  writeFileSync(join(cache, 'a-1.staging/half'), '');
  const folder = await installOnce({ key: 'a-1', build: async () => undefined, cache });
  expect(existsSync(join(folder, 'half'))).toBe(false);
});
