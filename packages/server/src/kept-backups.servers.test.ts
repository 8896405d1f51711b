import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { startRegistry } from '@catalog/testkit/registry-server';
import { readTree, temporaryFolder } from '@catalog/testkit/temporary-folder';
import { openSettings, startVariedRegistry } from '@catalog/testkit/varied-registry';
import { expect, test } from 'vitest';
import { addBackup, restore, verify } from './compose-operations.ts';
import type { Settings } from './config/settings.ts';
import type { OperationHooks } from './operations/operation-hooks.ts';

const hooks: OperationHooks = { report: () => undefined, signal: new AbortController().signal };

async function makeRegistry(): Promise<Settings> {
  const settings = await openSettings('standalone');
  await (await startVariedRegistry(settings)).close();
  return settings;
}

async function addOld(settings: Settings, directory: string, day: number): Promise<string> {
  const { folder } = await addBackup(settings, directory, 99, hooks);
  const name = `2026-01-${String(day).padStart(2, '0')}T030405Z`;
  renameSync(folder, join(directory, name));
  return name;
}

function listObjects(folder: string): string[] {
  const objects = join(folder, 'objects');
  return Object.keys(readTree(objects)).map((path) => join(objects, path));
}

test('addBackup keeps the newest backups, each of which can be restored', async () => {
  const settings = await makeRegistry();
  const directory = join(temporaryFolder(), 'backups');
  const [first, second, third] = [
    await addOld(settings, directory, 1),
    await addOld(settings, directory, 2),
    await addOld(settings, directory, 3),
  ];
  const { folder, removed, objects } = await addBackup(settings, directory, 2, hooks);
  expect(removed).toEqual([first, second].map((name) => join(directory, name)));
  expect(
    readdirSync(directory)
      .map((name) => join(directory, name))
      .toSorted(),
  ).toEqual([join(directory, third), folder]);
  expect(objects).toBe(1);
  for (const kept of [join(directory, third), folder]) {
    const restored = await restore(await openSettings('standalone'), kept, hooks);
    expect(restored.verification.finding_count).toBe(0);
  }
});

test('addBackup links unchanged objects and copies a damaged one again', async () => {
  const settings = await makeRegistry();
  const directory = join(temporaryFolder(), 'backups');
  const first = join(directory, await addOld(settings, directory, 1));
  const second = join(directory, await addOld(settings, directory, 2));
  const [object = ''] = listObjects(first);
  const [same = ''] = listObjects(second);
  expect(statSync(same).ino).toBe(statSync(object).ino);

  const bytes = readFileSync(object);
  writeFileSync(object, Buffer.alloc(bytes.length));
  const { folder } = await addBackup(settings, directory, 9, hooks);
  const [copied = ''] = listObjects(folder);
  expect(readFileSync(copied)).toEqual(bytes);
});

test('addBackup removes an interrupted backup with those of its age, and no other directories', async () => {
  const settings = await makeRegistry();
  const directory = join(temporaryFolder(), 'backups');
  const interrupted = join(directory, '2026-01-01T000000Z');
  mkdirSync(join(interrupted, 'tables'), { recursive: true });
  const letters = ['letters', '2026-01-01T000001Z', 'latest'];
  for (const name of letters) {
    mkdirSync(join(directory, name));
    writeFileSync(join(directory, name, 'letter.txt'), 'Dear');
  }
  mkdirSync(join(directory, '2026-01-01T000001Z', 'tables'));
  await addOld(settings, directory, 2);
  expect(existsSync(interrupted)).toBe(true);
  const { folder, removed } = await addBackup(settings, directory, 1, hooks);
  expect(removed).toEqual([interrupted, join(directory, '2026-01-02T030405Z')]);
  expect(
    readdirSync(directory)
      .map((name) => join(directory, name))
      .toSorted(),
  ).toEqual([...letters.map((name) => join(directory, name)), folder].toSorted());
});

test('addBackup of a registry without content removes nothing', async () => {
  const directory = join(temporaryFolder(), 'backups');
  const name = await addOld(await makeRegistry(), directory, 1);
  const empty = await openSettings('standalone');
  await (await startRegistry({ settings: empty, keep: true })).close();
  expect(await addBackup(empty, directory, 1, hooks)).toMatchObject({ removed: [] });
  expect(readdirSync(directory)).toContain(name);
});

test('addBackup removes nothing if the backup fails', async () => {
  const settings = await makeRegistry();
  const directory = join(temporaryFolder(), 'backups');
  const name = await addOld(settings, directory, 1);
  const stopped: OperationHooks = { ...hooks, signal: AbortSignal.abort(new Error('stopped')) };
  await expect(addBackup(settings, directory, 1, stopped)).rejects.toThrow('stopped');
  expect(readdirSync(directory)).toContain(name);
});

test('restore from the directory of backups suggests the newest', async () => {
  const settings = await makeRegistry();
  const directory = join(temporaryFolder(), 'backups');
  await addOld(settings, directory, 1);
  const newest = join(directory, await addOld(settings, directory, 2));
  mkdirSync(join(directory, '2026-01-03T000000Z', 'tables'), { recursive: true });
  const refused = (suggested_action: unknown): object => ({
    code: 'config.invalid',
    message: expect.stringContaining('is not a complete backup'),
    suggested_action,
  });
  const target = await openSettings('standalone');
  await expect(restore(target, directory, hooks)).rejects.toMatchObject(
    refused(`The directory contains backups. Restore one of them, such as ${newest}.`),
  );
  await expect(restore(target, `${directory}/none`, hooks)).rejects.toMatchObject(
    refused(expect.stringContaining('Use the directory that')),
  );
});

test('backup and restore report the file and the artifact of a corrupt object', async () => {
  const settings = await makeRegistry();
  const good = join(temporaryFolder(), 'backups');
  const { folder } = await addBackup(settings, good, 9, hooks);
  const root = settings['object_store.filesystem_root'];
  const digest = /[0-9a-f]{64}$/;
  const [live = ''] = Object.keys(readTree(root)).filter((path) => digest.test(path));
  const [archived = ''] = listObjects(folder);
  for (const [path, act] of [
    [join(root, live), () => addBackup(settings, join(temporaryFolder(), 'backups'), 9, hooks)],
    [archived, async () => restore(await openSettings('standalone'), folder, hooks)],
  ] as const) {
    writeFileSync(path, Buffer.alloc(statSync(path).size));
    const named = `The object for large.txt of ops/deploy@1.0.0 is corrupt: the content of ${path}`;
    await expect(act()).rejects.toThrow(named);
  }
});

test('metrics report the age of the newest backup and of the newest verification', async () => {
  const settings = await makeRegistry();
  const ages = async (): Promise<Record<string, string>> => {
    const server = await startRegistry({ settings, keep: true });
    const text = (await server.request('/metrics')).raw.toString();
    await server.close();
    const found = text.matchAll(/^catalog_(backup|verification)_age_seconds (\S+)$/gm);
    return Object.fromEntries([...found].map(([, run, value]) => [run, value]));
  };
  expect(await ages()).toEqual({ backup: '+Inf', verification: '+Inf' });
  await addBackup(settings, join(temporaryFolder(), 'backups'), 9, hooks);
  const { backup, verification } = await ages();
  expect(Number(backup)).toBeLessThan(60);
  expect(verification).toBe('+Inf');
  await verify(settings, { fast: true }, hooks);
  expect(Number((await ages())['verification'])).toBeLessThan(60);

  const root = settings['object_store.filesystem_root'];
  for (const name of readdirSync(root)) {
    if (name.startsWith('catalog-last-')) writeFileSync(join(root, name), 'not JSON');
  }
  const [object = ''] = Object.keys(readTree(root)).filter((path) => /[0-9a-f]{64}$/.test(path));
  writeFileSync(join(root, object), '');
  expect((await verify(settings, { fast: true }, hooks)).finding_count).toBeGreaterThan(0);
  expect(await ages()).toEqual({ backup: '+Inf', verification: '+Inf' });
});
