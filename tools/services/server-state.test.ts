import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';
import { signalProcess, startServer, stopServer } from './server-process.ts';
import { removeState, runningState, writeState, type ServerState } from './server-state.ts';

async function startSleep(folder: string): Promise<ServerState> {
  const process = await startServer({
    program: 'sleep',
    words: ['60'],
    cwd: folder,
    log: join(folder, 'log'),
    shared: false,
  });
  onTestFinished(() => signalProcess(process, 'SIGKILL'));
  return { process, port: 5432 };
}

test('runningState returns the state of a server while it is running', async () => {
  const folder = temporaryFolder();
  const state = await startSleep(folder);
  expect(runningState(folder, 'postgres')).toBeUndefined();
  writeState(folder, 'postgres', state);
  expect(runningState(folder, 'postgres')).toEqual(state);
  expect(runningState(folder, 'replica')).toBeUndefined();
  await stopServer(state.process, 'SIGTERM');
  expect(runningState(folder, 'postgres')).toBeUndefined();
});

test('runningState ignores a server without a record', async () => {
  const folder = temporaryFolder();
  writeState(folder, 'postgres', await startSleep(folder));
  removeState(folder, 'postgres');
  removeState(folder, 'postgres');
  expect(runningState(folder, 'postgres')).toBeUndefined();
});

test.each([
  ['no JSON', '{'],
  ['nothing', 'null'],
  ['no process', '{"port": 1}'],
  ['a process without its start', `{"port": 1, "process": {"pid": ${process.pid}}}`],
  ['a port in words', `{"port": "1", "process": {"pid": ${process.pid}, "started": ""}}`],
])('runningState ignores a record with %s', (_, text) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'postgres.json'), text);
  expect(runningState(folder, 'postgres')).toBeUndefined();
});
