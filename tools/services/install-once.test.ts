import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { expect, test } from 'vitest';
import { installOnce } from './install-once.ts';

test('installOnce builds a program once for two concurrent calls', async () => {
  const cache = temporaryFolder();
  let builds = 0;
  const build = async (folder: string): Promise<void> => {
    builds += 1;
    writeFileSync(join(folder, 'program'), '');
  };
  const installations = [
    installOnce({ key: 'a-1', build, cache }),
    installOnce({ key: 'a-1', build, cache }),
  ];
  expect(await Promise.all(installations)).toEqual([join(cache, 'a-1'), join(cache, 'a-1')]);
  await installOnce({ key: 'a-1', build, cache });
  expect(builds).toBe(1);
  await installOnce({ key: 'a-2', build, cache });
  expect(builds).toBe(2);
});

test('installOnce leaves no folder after a failed build, and builds again', async () => {
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

test('installOnce removes the remains of a killed build', async () => {
  const cache = temporaryFolder();
  mkdirSync(join(cache, 'a-1.staging'));
  writeFileSync(join(cache, 'a-1.staging/half'), '');
  const folder = await installOnce({ key: 'a-1', build: async () => undefined, cache });
  expect(existsSync(join(folder, 'half'))).toBe(false);
});
