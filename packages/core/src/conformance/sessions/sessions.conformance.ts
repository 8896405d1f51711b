import { describe, expect, test } from 'vitest';
import type { SessionReads, SessionWrites } from '../../ports/sessions.ts';
import type { Store } from '../../ports/store.ts';
import { openForTest, T1, T2, T3 } from '../samples.conformance.ts';

/** What of a store the suite is about: sessions also live where nothing else does (decision 35). */
export interface SessionStore extends Pick<Store, 'close'> {
  sessions: SessionReads;
  transaction<Result>(
    work: (writes: { sessions: SessionWrites }) => Promise<Result>,
  ): Promise<Result>;
}

/** What `SessionReads` and `SessionWrites` promise. */
export function sessionsConformance(open: () => Promise<SessionStore>): void {
  describe('sessions', () => {
    const first = { layer: 1, version: '1.0.0' };
    const second = { layer: 2, version: '2.0.0' };
    const lasts = (expires_at: string) => ({ now: T1, expires_at });

    test('keep the first choice, whoever comes second', async () => {
      const store = await openForTest(open);
      const remember = (choice: typeof first): Promise<typeof first> =>
        store.transaction(({ sessions }) => sessions.remember(1, 's', 'x', choice, lasts(T2)));
      expect(await store.sessions.get(1, 's', 'x', T1)).toBeUndefined();
      expect(await Promise.all([remember(first), remember(second)])).toEqual([first, first]);
      expect(await store.sessions.get(1, 's', 'x', T1)).toEqual(first);
      expect(await store.sessions.get(1, 's', 'y', T1)).toBeUndefined();
      expect(await store.sessions.get(1, 'other', 'x', T1)).toBeUndefined();
      expect(await store.sessions.get(2, 's', 'x', T1)).toBeUndefined();
    });

    test('hold until they expire, also where nobody has forgotten them yet', async () => {
      const store = await openForTest(open);
      const remember = (choice: typeof first, now: string): Promise<typeof first> =>
        store.transaction(({ sessions }) =>
          sessions.remember(1, 's', 'x', choice, { now, expires_at: now === T1 ? T2 : T3 }),
        );
      await remember(first, T1);
      expect(await store.sessions.get(1, 's', 'x', T1)).toEqual(first);
      expect(await store.sessions.get(1, 's', 'x', T2)).toBeUndefined();
      expect(await remember(second, T2)).toEqual(second);
      expect(await store.sessions.get(1, 's', 'x', T2)).toEqual(second);
    });

    test('are forgotten once they have expired, so many at a time', async () => {
      const store = await openForTest(open);
      await store.transaction(async ({ sessions }) => {
        for (const id of ['x', 'y', 'z']) await sessions.remember(1, 'old', id, first, lasts(T2));
        await sessions.remember(2, 'old', 'x', first, lasts(T2));
        await sessions.remember(1, 'new', 'x', first, lasts(T3));
      });
      const prune = () => store.transaction(({ sessions }) => sessions.prune(T2, 3));
      expect([await prune(), await prune(), await prune()]).toEqual([3, 1, 0]);
      expect(await store.sessions.get(1, 'old', 'x', T1)).toBeUndefined();
      expect(await store.sessions.get(2, 'old', 'x', T1)).toBeUndefined();
      expect(await store.sessions.get(1, 'new', 'x', T1)).toEqual(first);
    });
  });
}
