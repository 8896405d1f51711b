import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLane } from './lane.ts';

test('createLane never exceeds its width and settles every task, even if tasks fail or are canceled', async () => {
  const comer = fc.record({ turns: fc.nat(5), fails: fc.boolean(), leaves_after: fc.nat(12) });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(comer, { maxLength: 20 }),
      async (width, comers) => {
        const lane = createLane(width);
        let running = 0;
        let most = 0;
        const ended = comers.map(async ({ turns, fails, leaves_after }) => {
          const leaving = new AbortController();
          const task = async (): Promise<string> => {
            running += 1;
            most = Math.max(most, running);
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
        expect(most).toBeLessThanOrEqual(width);
        for (const [index, { fails, leaves_after }] of comers.entries()) {
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
