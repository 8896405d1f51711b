import { setTimeout as delay } from 'node:timers/promises';
import type { Hold, Locks } from '@catalog/core/ports/locks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLocalLocks } from '../adapters/store/local-locks.ts';
import { startLeading, type Duties } from './lead.ts';

function open(locks: Locks) {
  const told: string[] = [];
  const failures: unknown[] = [];
  async function start(name: string, begin: () => Promise<void> = async () => {}): Promise<Duties> {
    const leading = await startLeading(locks, {
      begin: async () => {
        await begin();
        told.push(`${name} begins`);
        return { close: async () => void told.push(`${name} ends`) };
      },
      onFailure: (cause) => failures.push(cause),
      retry_ms: 5,
    });
    onTestFinished(() => leading.close());
    return leading;
  }
  return { told, failures, start };
}

describe('startLeading', () => {
  test('elects one process, and the next one after it closes', async () => {
    const { told, start } = open(createLocalLocks());
    const first = await start('a');
    expect(told).toEqual(['a begins']);
    const second = await start('b');
    await delay(20);
    expect(told).toEqual(['a begins']);
    await first.close();
    await delay(20);
    expect(told).toEqual(['a begins', 'a ends', 'b begins']);
    await second.close();
    expect(told.at(-1)).toBe('b ends');
  });

  test('stops the duties if the lock is lost and resumes when it is acquired again', async () => {
    const local = createLocalLocks();
    const cut = new AbortController();
    const withCut = (hold: Hold | undefined): Hold | undefined =>
      hold && (cut.signal.aborted ? hold : { ...hold, lost: cut.signal });
    const locks = { ...local, tryTake: async (name: string) => withCut(await local.tryTake(name)) };
    const { told, start } = open(locks);
    await start('a');
    cut.abort();
    await delay(20);
    expect(told).toEqual(['a begins', 'a ends', 'a begins']);
  });

  test('reports a failed start once and lets other processes lead', async () => {
    const { told, failures, start } = open(createLocalLocks());
    await start('a', () => Promise.reject(new Error('no')));
    await start('b');
    await delay(40);
    expect(told).toEqual(['b begins']);
    expect(failures).toEqual([new Error('no')]);
  });
});
