import { describe, expect, test } from 'vitest';
import {
  MAX_ANONYMOUS_CHOICES,
  type SessionKey,
  type SessionReads,
  type SessionWrites,
} from '../../ports/sessions.ts';
import type { Store } from '../../ports/store.ts';
import { openForTest, T1, T2, T3 } from '../samples.conformance.ts';

/** Sessions, which can have a separate store (SPEC-35). */
export interface SessionStore extends Pick<Store, 'close'> {
  sessions: SessionReads;
  transaction<Result>(
    work: (writes: { sessions: SessionWrites }) => Promise<Result>,
  ): Promise<Result>;
}

export function sessionsConformance(open: () => Promise<SessionStore>): void {
  describe('sessions', () => {
    const first = { layer: 1, version: '1.0.0' };
    const second = { layer: 2, version: '2.0.0' };
    const lasts = (expires_at: string) => ({ now: T1, expires_at });
    const sessionOf = (session_id: string, subject = 'ann'): SessionKey => ({
      subject,
      session_id,
    });
    const s = sessionOf('s');

    test('keep the version that they loaded first', async () => {
      const store = await openForTest(open);
      const remember = (choice: typeof first): Promise<typeof first> =>
        store.transaction(({ sessions }) => sessions.remember(1, s, 'x', choice, lasts(T2)));
      expect(await store.sessions.get(1, s, 'x', T1)).toBeUndefined();
      // The database decides which of two concurrent transactions comes first.
      const [one, other] = await Promise.all([remember(first), remember(second)]);
      expect([first, second]).toContainEqual(one);
      expect(other).toEqual(one);
      expect(await remember(one === first ? second : first)).toEqual(one);
      expect(await store.sessions.get(1, s, 'x', T1)).toEqual(one);
      expect(await store.sessions.get(1, s, 'y', T1)).toBeUndefined();
      expect(await store.sessions.get(1, sessionOf('other'), 'x', T1)).toBeUndefined();
      expect(await store.sessions.get(2, s, 'x', T1)).toBeUndefined();
    });

    test('with the same id are separate for each subject', async () => {
      const store = await openForTest(open);
      const mine = sessionOf('same', 'ann');
      const theirs = sessionOf('same', 'bob');
      const anonymousSession = sessionOf('same', '');
      await store.transaction(({ sessions }) => sessions.remember(1, mine, 'x', first, lasts(T2)));
      expect(await store.sessions.get(1, theirs, 'x', T1)).toBeUndefined();
      expect(await store.sessions.get(1, anonymousSession, 'x', T1)).toBeUndefined();
      for (const session of [theirs, anonymousSession]) {
        const given = await store.transaction(({ sessions }) =>
          sessions.remember(1, session, 'x', second, lasts(T2)),
        );
        expect(given).toEqual(second);
      }
      expect(await store.sessions.get(1, mine, 'x', T1)).toEqual(first);
    });

    test(
      'without a subject are limited in number; only the oldest are removed',
      { timeout: 120_000 },
      async () => {
        const store = await openForTest(open);
        const anonymous = (n: number): SessionKey => sessionOf(`s${n}`, '');
        const remember = (sessions: SessionWrites, session: SessionKey) =>
          sessions.remember(1, session, 'x', first, lasts(T2));
        await store.transaction(async ({ sessions }) => {
          for (const session of [s, anonymous(0), anonymous(1)]) await remember(sessions, session);
        });
        // Together they reach the limit; which one is older does not matter.
        await Promise.all(
          Array.from({ length: 4 }, (_, lane) =>
            store.transaction(async ({ sessions }) => {
              for (let n = 2 + lane; n < MAX_ANONYMOUS_CHOICES; n += 4) {
                await remember(sessions, anonymous(n));
              }
            }),
          ),
        );
        expect(await store.sessions.get(1, anonymous(0), 'x', T1)).toEqual(first);
        await store.transaction(({ sessions }) =>
          remember(sessions, anonymous(MAX_ANONYMOUS_CHOICES)),
        );
        const isKept = async (session: SessionKey): Promise<boolean> =>
          (await store.sessions.get(1, session, 'x', T1)) !== undefined;
        expect(await isKept(anonymous(0))).toBe(false);
        expect(await isKept(anonymous(1))).toBe(true);
        expect(await isKept(anonymous(MAX_ANONYMOUS_CHOICES))).toBe(true);
        expect(await isKept(s)).toBe(true);
      },
    );

    test('are valid until they expire, even before they are pruned', async () => {
      const store = await openForTest(open);
      const remember = (choice: typeof first, now: string): Promise<typeof first> =>
        store.transaction(({ sessions }) =>
          sessions.remember(1, s, 'x', choice, { now, expires_at: now === T1 ? T2 : T3 }),
        );
      await remember(first, T1);
      expect(await store.sessions.get(1, s, 'x', T1)).toEqual(first);
      expect(await store.sessions.get(1, s, 'x', T2)).toBeUndefined();
      expect(await remember(second, T2)).toEqual(second);
      expect(await store.sessions.get(1, s, 'x', T2)).toEqual(second);
    });

    test('are pruned after they expire, up to the given number', async () => {
      const store = await openForTest(open);
      await store.transaction(async ({ sessions }) => {
        for (const id of ['x', 'y', 'z'])
          await sessions.remember(1, sessionOf('old'), id, first, lasts(T2));
        await sessions.remember(2, sessionOf('old'), 'x', first, lasts(T2));
        await sessions.remember(1, sessionOf('new'), 'x', first, lasts(T3));
      });
      const prune = () => store.transaction(({ sessions }) => sessions.prune(T2, 3));
      expect([await prune(), await prune(), await prune()]).toEqual([3, 1, 0]);
      expect(await store.sessions.get(1, sessionOf('old'), 'x', T1)).toBeUndefined();
      expect(await store.sessions.get(2, sessionOf('old'), 'x', T1)).toBeUndefined();
      expect(await store.sessions.get(1, sessionOf('new'), 'x', T1)).toEqual(first);
    });
  });
}
