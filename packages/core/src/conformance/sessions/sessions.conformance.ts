import { describe, expect, test } from 'vitest';
import { openForTest, T1, T2, T3, type OpenStore } from '../samples.conformance.ts';

/** What `SessionReads` and `SessionWrites` promise. */
export function sessionsConformance(open: OpenStore): void {
  describe('sessions', () => {
    const first = { layer: 1, version: '1.0.0' };
    const second = { layer: 2, version: '2.0.0' };

    test('keep the first choice, whoever comes second', async () => {
      const store = await openForTest(open);
      const remember = (choice: typeof first): Promise<typeof first> =>
        store.transaction(({ sessions }) => sessions.remember(1, 's', 'x', choice, T2));
      expect(await store.sessions.get(1, 's', 'x')).toBeUndefined();
      expect(await Promise.all([remember(first), remember(second)])).toEqual([first, first]);
      expect(await store.sessions.get(1, 's', 'x')).toEqual(first);
      expect(await store.sessions.get(1, 's', 'y')).toBeUndefined();
      expect(await store.sessions.get(1, 'other', 'x')).toBeUndefined();
      expect(await store.sessions.get(2, 's', 'x')).toBeUndefined();
    });

    test('are forgotten once they have expired', async () => {
      const store = await openForTest(open);
      await store.transaction(async ({ sessions }) => {
        await sessions.remember(1, 'old', 'x', first, T1);
        await sessions.remember(2, 'old', 'x', first, T2);
        await sessions.remember(1, 'new', 'x', first, T3);
      });
      await store.transaction(({ sessions }) => sessions.prune(T2));
      expect(await store.sessions.get(1, 'old', 'x')).toBeUndefined();
      expect(await store.sessions.get(2, 'old', 'x')).toBeUndefined();
      expect(await store.sessions.get(1, 'new', 'x')).toEqual(first);
      const again = await store.transaction(({ sessions }) =>
        sessions.remember(1, 'old', 'x', second, T3),
      );
      expect(again).toEqual(second);
    });
  });
}
