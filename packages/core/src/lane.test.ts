import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLane } from './lane.ts';

test('createLane never exceeds its width and settles every task, even if tasks fail or are canceled', async () => {
  const task_plan = fc.record({ turns: fc.nat(5), fails: fc.boolean(), leaves_after: fc.nat(12) });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(task_plan, { maxLength: 20 }),
      async (width, plans) => {
        const lane = createLane(width);
        let running = 0;
        let maxRunning = 0;
        const ended = plans.map(async ({ turns, fails, leaves_after }) => {
          const leaving = new AbortController();
          const task = async (): Promise<string> => {
            running += 1;
            maxRunning = Math.max(maxRunning, running);
            for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
            running -= 1;
            if (fails) throw new Error('failed');
            return 'done';
          };
          const outcome = lane(task, leaving.signal).catch((cause: unknown) =>
            cause instanceof Error ? cause.message : 'left',
          );
          for (let turn = 0; turn < leaves_after; turn += 1) await Promise.resolve();
          if (leaves_after % 3 === 0) leaving.abort(new Error('left'));
          return outcome;
        });
        const outcomes = await Promise.all(ended);
        expect(maxRunning).toBeLessThanOrEqual(width);
        for (const [index, { fails, leaves_after }] of plans.entries()) {
          const usual = fails ? 'failed' : 'done';
          const wanted = leaves_after % 3 === 0 ? [usual, 'left'] : [usual];
          expect(wanted).toContain(outcomes[index]);
        }
        let at_once = 0;
        const { promise: together, resolve: begin } = Promise.withResolvers<void>();
        const all = Array.from({ length: width }, () =>
          lane(() => {
            at_once += 1;
            if (at_once === width) begin();
            return together;
          }, new AbortController().signal),
        );
        await Promise.all(all);
      },
    ),
    { numRuns: 300 },
  );
});
