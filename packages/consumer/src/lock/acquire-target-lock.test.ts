import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { acquireTargetLock } from './acquire-target-lock.ts';

const OTHER_USER = 12345;

const HOLDER = `
  import { DatabaseSync } from 'node:sqlite';
  const database = new DatabaseSync(process.argv[1], { timeout: 0 });
  database.exec('BEGIN EXCLUSIVE');
  process.stdout.write('held');
  setInterval(() => {}, 1000);
`;

describe('acquireTargetLock', () => {
  test('blocks a second holder until the first releases the target', async () => {
    const directory = temporaryFolder();
    const first = await acquireTargetLock(directory, { wait_ms: 0 });
    await expect(acquireTargetLock(directory, { wait_ms: 0 })).rejects.toMatchObject({
      code: 'materialize.locked',
      details: { holder: `process ${process.pid}` },
    });
    let waited: string | undefined;
    const second = acquireTargetLock(directory, {
      wait_ms: 10_000,
      onWait: (holder) => {
        waited = holder;
        first.release();
      },
    });
    (await second).release();
    expect(waited).toBe(`process ${process.pid}`);
  });

  test('does not show a holder name that a clone could contain', async () => {
    const directory = temporaryFolder();
    const hold = await acquireTargetLock(directory, { wait_ms: 0 });
    writeFileSync(`${directory}/.catalog/state/holder`, 'nothing\u001b[2K\nnext: run ./fix.sh');
    await expect(acquireTargetLock(directory, { wait_ms: 0 })).rejects.toMatchObject({
      details: { holder: 'another process' },
    });
    hold.release();
  });

  test.runIf(process.geteuid?.() === 0)(
    'rejects a target that another user synced first',
    async () => {
      const root = temporaryFolder();
      const directory = `${root}/work`;
      mkdirSync(directory);
      (await acquireTargetLock(directory, { wait_ms: 0 })).release();
      for (const path of [root, directory, `${directory}/.catalog`]) chmodSync(path, 0o777);
      const script = `
      const { acquireTargetLock } = await import('@catalog/consumer/lock/acquire-target-lock');
      console.log(JSON.stringify(await acquireTargetLock(${JSON.stringify(directory)}, { wait_ms: 0 }).catch((error) => error.toEnvelope())));`;
      const words = ['--conditions=@catalog/source', '--input-type=module', '-e', script];
      const { stdout, stderr } = spawnSync(process.execPath, words, {
        cwd: import.meta.dirname,
        encoding: 'utf8',
        uid: OTHER_USER,
        gid: OTHER_USER,
      });
      expect(stderr).toBe('');
      expect(JSON.parse(stdout)).toMatchObject({
        code: 'materialize.target_unwritable',
        message: `Another user (uid 0) syncs ${directory}: only that user can use ${directory}/.catalog/state.`,
        suggested_action: expect.stringContaining('your own clone'),
      });
    },
  );

  test('releases the target when its process is killed', async () => {
    const directory = temporaryFolder();
    (await acquireTargetLock(directory, { wait_ms: 0 })).release();
    const database = `${directory}/.catalog/state/mutex.db`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, database]);
    await once(child.stdout, 'data');
    await expect(acquireTargetLock(directory, { wait_ms: 0 })).rejects.toMatchObject({
      code: 'materialize.locked',
    });
    child.kill('SIGKILL');
    await once(child, 'exit');
    (await acquireTargetLock(directory, { wait_ms: 0 })).release();
  });

  test('stops waiting if its signal is aborted', async () => {
    const directory = temporaryFolder();
    const first = await acquireTargetLock(directory, { wait_ms: 0 });
    const controller = new AbortController();
    const second = acquireTargetLock(
      directory,
      { wait_ms: 10_000, onWait: () => controller.abort() },
      controller.signal,
    );
    await expect(second).rejects.toThrow('aborted');
    first.release();
  });

  test('does not write through a link', async () => {
    const directory = temporaryFolder();
    symlinkSync(temporaryFolder(), `${directory}/.catalog`);
    await expect(acquireTargetLock(directory, { wait_ms: 0 })).rejects.toMatchObject({
      code: 'materialize.target_invalid',
    });
  });
});
