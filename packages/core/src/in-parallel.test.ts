import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { inParallel } from './in-parallel.ts';

async function waitTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
}

test('inParallel returns the results in order and respects the limit of parallel items', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.nat(5), { maxLength: 20 }),
      async (parallel, items) => {
        let running = 0;
        let maxRunning = 0;
        const results = await inParallel(items, { parallel }, async (turns) => {
          running += 1;
          maxRunning = Math.max(maxRunning, running);
          await waitTurns(turns);
          running -= 1;
          return turns * 2;
        });
        expect(results).toEqual(items.map((turns) => turns * 2));
        expect(maxRunning).toBe(Math.min(parallel, items.length));
      },
    ),
  );
});

test('inParallel stops starting items after a failure, aborts running ones and waits for them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.nat(5), { minLength: 1, maxLength: 20 }),
      fc.nat(19),
      async (parallel, items, place) => {
        const failing = place % items.length;
        let running = 0;
        let started_after = 0;
        let failed = false;
        const all = inParallel([...items.entries()], { parallel }, async ([at, turns], signal) => {
          if (signal.aborted) started_after += 1;
          running += 1;
          try {
            await waitTurns(turns);
            if (at === failing) {
              failed = true;
              throw new Error(`item ${at}`);
            }
            await waitTurns(10);
            if (!failed) return;
            await waitTurns(10);
            expect(signal.aborted).toBe(true);
          } finally {
            running -= 1;
          }
        });
        await expect(all).rejects.toThrow(`item ${failing}`);
        expect(running).toBe(0);
        expect(started_after).toBe(0);
      },
    ),
  );
});

test('inParallel rejects with the reason of the signal', async () => {
  const stop = new AbortController();
  let started = 0;
  const all = inParallel([1, 2, 3], { parallel: 1, signal: stop.signal }, async () => {
    started += 1;
    stop.abort(new Error('stopped'));
  });
  await expect(all).rejects.toThrow('stopped');
  expect(started).toBe(1);
});
