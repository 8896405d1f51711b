import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { holdTarget } from './hold-target.ts';

const HOLDER = `
  import { DatabaseSync } from 'node:sqlite';
  const database = new DatabaseSync(process.argv[1], { timeout: 0 });
  database.exec('BEGIN EXCLUSIVE');
  process.stdout.write('held');
  setInterval(() => {}, 1000);
`;

describe('holding a target', () => {
  test('keeps a second holder out until the first lets go', async () => {
    const directory = temporaryFolder();
    const first = await holdTarget(directory, { wait_ms: 0 });
    await expect(holdTarget(directory, { wait_ms: 0 })).rejects.toMatchObject({
      code: 'materialize.locked',
      details: { holder: `process ${process.pid}` },
    });
    let waited: string | undefined;
    const second = holdTarget(directory, {
      wait_ms: 10_000,
      onWait: (holder) => {
        waited = holder;
        first.release();
      },
    });
    (await second).release();
    expect(waited).toBe(`process ${process.pid}`);
  });

  test('is over the moment its process is killed', async () => {
    const directory = temporaryFolder();
    (await holdTarget(directory, { wait_ms: 0 })).release();
    const database = `${directory}/.catalog/state/mutex.db`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, database]);
    await once(child.stdout, 'data');
    await expect(holdTarget(directory, { wait_ms: 0 })).rejects.toMatchObject({
      code: 'materialize.locked',
    });
    child.kill('SIGKILL');
    await once(child, 'exit');
    (await holdTarget(directory, { wait_ms: 0 })).release();
  });

  test('stops waiting when asked to', async () => {
    const directory = temporaryFolder();
    const first = await holdTarget(directory, { wait_ms: 0 });
    const controller = new AbortController();
    const second = holdTarget(
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
    await expect(holdTarget(directory, { wait_ms: 0 })).rejects.toMatchObject({
      code: 'materialize.target_invalid',
    });
  });
});
