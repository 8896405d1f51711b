import { describe, expect, test } from 'vitest';
import { MAX_SUBJECT_CHOICES, type SessionKey } from '../../ports/sessions.ts';
import { openForTest, T1, T2, T3 } from '../samples.conformance.ts';
import type { SessionStore } from './sessions.conformance.ts';

/** Tests the limit for the sessions of one subject. */
export function subjectSessionsConformance(open: () => Promise<SessionStore>): void {
  describe('sessions of one subject', () => {
    test('are limited in number; those that expire first are removed, and other subjects keep theirs', async () => {
      const store = await openForTest(open);
      const remember = (session: SessionKey, expires_at: string, count: number, start = 0) =>
        store.transaction(async ({ sessions }) => {
          for (let n = start; n < start + count; n += 1) {
            const choice = { layer: 1, version: '1.0.0' };
            await sessions.remember(1, session, `x${n}`, choice, { now: T1, expires_at });
          }
        });
      const isKept = async (session: SessionKey, id: string): Promise<boolean> =>
        (await store.sessions.get(1, session, id, T1)) !== undefined;
      const old = { subject: 'ann', session_id: 'old' };
      const recent = { subject: 'ann', session_id: 'recent' };
      const other = { subject: 'bob', session_id: 'other' };
      await remember(other, T2, 1);
      await remember(old, T2, 2);
      await remember(recent, T3, MAX_SUBJECT_CHOICES - 2);
      expect(await isKept(old, 'x0')).toBe(true);
      await remember(recent, T3, 1, MAX_SUBJECT_CHOICES);
      expect([await isKept(old, 'x0'), await isKept(old, 'x1')]).toEqual([false, false]);
      expect(await isKept(other, 'x0')).toBe(true);
    });
  });
}
