import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  isRunning,
  signalProcess,
  startOf,
  startServer,
  stopServer,
  waitForExit,
  waitUntilReady,
  type ProcessRecord,
} from './server-process.ts';

const FOREVER = 'setInterval(() => undefined, 1000)';

const DEAF = `process.on('SIGTERM', () => undefined); console.log('ready'); ${FOREVER}`;

/**
 * After `execve`, the new program does not know about the child process of the shell and never
 * reaps it.
 */
const ENDED_CHILD = `process.execve('/bin/sh', ['sh', '-c', 'sleep 0.3 & echo $!; exec sleep 60'])`;

async function startNode(script: string): Promise<{ record: ProcessRecord; log: string }> {
  const cwd = temporaryFolder();
  const log = join(cwd, 'log');
  const words = ['--eval', script];
  const record = await startServer({ program: process.execPath, words, cwd, log, shared: false });
  onTestFinished(() => signalProcess(record, 'SIGKILL'));
  return { record, log };
}

describe('process record', () => {
  test('is running until the process is stopped', async () => {
    const { record } = await startNode(FOREVER);
    expect(isRunning(record)).toBe(true);
    await stopServer(record, 'SIGTERM');
    expect(isRunning(record)).toBe(false);
  });

  test('with another start time leaves the process unaffected', async () => {
    const { record } = await startNode(FOREVER);
    const earlier = { pid: record.pid, started: 'long ago' };
    expect(isRunning(earlier)).toBe(false);
    await stopServer(earlier, 'SIGKILL');
    expect(await waitForExit(record, 200)).toBe(false);
  });

  test('with an ignored signal ends by SIGKILL', async () => {
    const { record, log } = await startNode(DEAF);
    await waitUntilReady(record, log, async () => readFileSync(log, 'utf8') !== '');
    await stopServer(record, 'SIGTERM', 300);
    expect(isRunning(record)).toBe(false);
  });

  test('of a zombie is not running', async () => {
    const { record, log } = await startNode(ENDED_CHILD);
    await waitUntilReady(record, log, async () => readFileSync(log, 'utf8').endsWith('\n'));
    const pid = Number(readFileSync(log, 'utf8'));
    const child = { pid, started: startOf(pid) ?? 'never' };
    expect(isRunning(child)).toBe(true);
    expect(await waitForExit(child, 5000)).toBe(true);
    expect(() => process.kill(pid, 0)).not.toThrow();
  });
});

test('untilReady shows the end of the log if a server exits before it is ready', async () => {
  const { record, log } = await startNode(`console.error('the port is taken'); process.exit(1)`);
  await expect(waitUntilReady(record, log, async () => false)).rejects.toThrow('the port is taken');
});

test('private server exits with the process that started it, and a shared server continues', async () => {
  const cwd = temporaryFolder();
  const module = join(import.meta.dirname, 'server-process.ts');
  const script = `
    import { startServer } from ${JSON.stringify(module)};
    const start = { program: process.execPath, words: ['--eval', ${JSON.stringify(FOREVER)}], cwd: ${JSON.stringify(cwd)}, log: ${JSON.stringify(join(cwd, 'log'))} };
    const records = [await startServer({ ...start, shared: false }), await startServer({ ...start, shared: true })];
    console.log(JSON.stringify(records));
  `;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  const [own, shared]: ProcessRecord[] = JSON.parse(stdout);
  onTestFinished(() => shared && stopServer(shared, 'SIGKILL'));
  expect(own && (await waitForExit(own, 5000))).toBe(true);
  expect(shared && isRunning(shared)).toBe(true);
});
