import { sessionsConformance } from '@catalog/core/conformance/sessions/sessions.conformance';
import { T1, T2 } from '@catalog/core/conformance/samples.conformance';
import { describe, expect, test } from 'vitest';
import { createSessionCache } from './session-memo.ts';

const CHOICE = { layer: 1, version: '1.0.0' };

describe('sessions in memory', () => {
  sessionsConformance(async () => {
    const sessions = createSessionCache();
    return { sessions, transaction: (work) => work({ sessions }), close: async () => undefined };
  });

  test('are limited: the oldest is removed', async () => {
    const memo = createSessionCache(2);
    const lasts = { now: T1, expires_at: T2 };
    for (const subject of ['ann', '']) {
      const session = { subject, session_id: 's' };
      for (const id of ['a', 'b', 'c']) await memo.remember(1, session, id, CHOICE, lasts);
    }
    for (const subject of ['ann', '']) {
      const session = { subject, session_id: 's' };
      expect(await memo.get(1, session, 'a', T1)).toBeUndefined();
      expect(await memo.get(1, session, 'b', T1)).toEqual(CHOICE);
      expect(await memo.get(1, session, 'c', T1)).toEqual(CHOICE);
    }
  });
});
