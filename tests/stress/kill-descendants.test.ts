import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { killDescendants } from './kill-descendants.ts';

test('killDescendants kills the child processes of a process, but not the process itself', async () => {
  const shell = spawn('sh', ['-c', 'sh -c "sleep 60 & echo started; wait"; echo survived'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const output = text(shell.stdout);
  await once(shell.stdout, 'readable');
  killDescendants(shell.pid ?? 0);
  expect(await output).toBe('started\nsurvived\n');
});
