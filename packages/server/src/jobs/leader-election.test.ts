import { setTimeout as delay } from 'node:timers/promises';
import type { HeldLock, Locks } from '@catalog/core/ports/locks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLocalLocks } from '../adapters/store/local-locks.ts';
import { startLeaderElection, type LeaderTasks } from './leader-election.ts';

function open(locks: Locks) {
  const log: string[] = [];
  const failures: unknown[] = [];
  async function start(
    name: string,
    begin: () => Promise<void> = async () => {},
  ): Promise<LeaderTasks> {
    const leading = await startLeaderElection(locks, {
      begin: async () => {
        await begin();
        log.push(`${name} begins`);
        return { close: async () => void log.push(`${name} ends`) };
      },
      onFailure: (cause) => failures.push(cause),
      retry_ms: 5,
    });
    onTestFinished(() => leading.close());
    return leading;
  }
  return { told: log, failures, start };
}

describe('startLeaderElection', () => {
  test('elects one process, and the next one after it closes', async () => {
    const { told: log, start } = open(createLocalLocks());
    const first = await start('a');
    expect(log).toEqual(['a begins']);
    const second = await start('b');
    await delay(20);
    expect(log).toEqual(['a begins']);
    await first.close();
    await delay(20);
    expect(log).toEqual(['a begins', 'a ends', 'b begins']);
    await second.close();
    expect(log.at(-1)).toBe('b ends');
  });

  test('stops the tasks if the lock is lost and resumes when the lock is acquired again', async () => {
    const local = createLocalLocks();
    const cut = new AbortController();
    const withCut = (hold: HeldLock | undefined): HeldLock | undefined =>
      hold && (cut.signal.aborted ? hold : { ...hold, lost: cut.signal });
    const locks = { ...local, tryTake: async (name: string) => withCut(await local.tryTake(name)) };
    const { told: log, start } = open(locks);
    await start('a');
    cut.abort();
    await delay(20);
    expect(log).toEqual(['a begins', 'a ends', 'a begins']);
  });

  test('reports a failed start once and lets other processes lead', async () => {
    const { told: log, failures, start } = open(createLocalLocks());
    await start('a', () => Promise.reject(new Error('no')));
    await start('b');
    await delay(40);
    expect(log).toEqual(['b begins']);
    expect(failures).toEqual([new Error('no')]);
  });
});
