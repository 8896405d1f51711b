import { chmodSync, cpSync, mkdirSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readTree, temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { loadConfig } from '../config/load-config.ts';
import { runSync } from './run-sync.ts';

const COUNT = 300;

function rules(text: string): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: COUNT }, (_, number) => [
      `ops/r${number}/ARTIFACT.md`,
      `---\ntype: rule\nversion: 1.0.0\ndescription: Rule ${number}.\n---\n${text}\n`,
    ]),
  );
}

function createPlace() {
  const root = temporaryFolder();
  const work = `${root}/work`;
  mkdirSync(work);
  writeTree(`${root}/registry`, rules('one'));
  writeTree(work, { '.catalog/sync.yaml': 'defaults: {registry: ../registry, harness: cursor}\n' });
  const config = () => loadConfig({ cwd: work, home: `${root}/home`, env: {}, flags: {} });
  return { root, work, config };
}

test('sync does not follow a link that replaces a folder during the run', async () => {
  const { root, work, config } = createPlace();
  await runSync(config(), { mode: 'sync' });
  writeTree(`${root}/registry`, rules('two'));
  cpSync(`${work}/.cursor/rules`, `${root}/outside`, { recursive: true });
  const before = readTree(`${root}/outside`);
  const swap = ({ phase }: { phase: string }): void => {
    if (phase !== 'write' || statSync(`${root}/moved`, { throwIfNoEntry: false })) return;
    renameSync(`${work}/.cursor/rules`, `${root}/moved`);
    symlinkSync(`${root}/outside`, `${work}/.cursor/rules`);
  };
  await expect(runSync(config(), { mode: 'sync', onProgress: swap })).rejects.toMatchObject({
    code: 'materialize.target_invalid',
    message: expect.stringContaining('.cursor/rules is a link'),
  });
  expect(statSync(`${root}/moved`).isDirectory()).toBe(true);
  expect(readTree(`${root}/outside`)).toEqual(before);
});

test('sync rejects a target that other users can write to, until the user lists it', async () => {
  const { root, work, config } = createPlace();
  chmodSync(work, 0o777);
  await expect(runSync(config(), { mode: 'sync' })).rejects.toMatchObject({
    code: 'materialize.target_invalid',
    message: expect.stringContaining('is writable for every user'),
    suggested_action: expect.stringContaining('safe_directories'),
  });
  expect(Object.keys(readTree(work))).toEqual(['.catalog/sync.yaml']);
  writeTree(`${root}/home`, { '.catalog/sync.yaml': `safe_directories: [${work}]\n` });
  await runSync(config(), { mode: 'sync' });
  expect(Object.keys(readTree(`${work}/.cursor/rules`))).toHaveLength(COUNT);
});

test('sync accepts a folder such as /tmp, whose sticky bit protects files from other users', async () => {
  const { work, config } = createPlace();
  chmodSync(work, 0o1777);
  await runSync(config(), { mode: 'sync' });
  expect(Object.keys(readTree(`${work}/.cursor/rules`))).toHaveLength(COUNT);
});
