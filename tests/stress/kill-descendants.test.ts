import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { killDescendants } from './kill-descendants.ts';

test('kills the processes that a process started, and not the process itself', async () => {
  const shell = spawn('sh', ['-c', 'sh -c "sleep 60 & echo started; wait"; echo survived'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const output = text(shell.stdout);
  await once(shell.stdout, 'readable');
  killDescendants(shell.pid ?? 0);
  // The pipe closes only when no process has it open any more.
  expect(await output).toBe('started\nsurvived\n');
});
