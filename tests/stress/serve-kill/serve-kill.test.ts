import type { EventBody } from '@catalog/contract/events';
import { describe, expect, test } from 'vitest';
import { findEventFaults, isPossible, readEventLine } from './history.ts';

function published(cursor: number, id: string, version = '1.0.0'): EventBody {
  return {
    event: 'artifact.published',
    trace_id: '',
    timestamp: '2026-01-01T00:00:00Z',
    actor: {},
    data: { id, version },
    cursor: String(cursor),
  };
}

describe('the checks after a kill of the registry', () => {
  const acknowledged = new Set(['a@1.0.0', 'b@1.0.0']);

  test.each<[string, EventBody[], string[]]>([
    ['all is well', [published(1, 'a'), published(2, 'b'), published(3, 'unasked')], []],
    [
      'an event was skipped',
      [published(1, 'a'), published(3, 'b')],
      ['event 2 of the stream has the cursor 3'],
    ],
    [
      'an event came twice',
      [published(1, 'a'), published(2, 'b'), published(3, 'a')],
      ['a@1.0.0 was published 2 times'],
    ],
    [
      'an acknowledged version was lost',
      [published(1, 'a'), published(2, 'b', '1.0.1')],
      ['b@1.0.0 was acknowledged and no event tells of it'],
    ],
  ])('%s', (_, events, faults) => {
    expect(findEventFaults(events, acknowledged)).toEqual(faults);
  });

  test('a layer may be in the acknowledged state, or in the state of the request without a response', () => {
    const before = { kind: 'live', public: false } as const;
    const after = { kind: 'deleted', public: false } as const;
    expect(isPossible(after, [before, after])).toBe(true);
    expect(isPossible(before, [after])).toBe(false);
    expect(isPossible({ kind: 'live', public: true }, [before, after])).toBe(false);
    expect(isPossible({ kind: 'absent' }, [after])).toBe(false);
  });

  test('a heartbeat is not an event, and a gap is a fault', () => {
    const event = published(4, 'a');
    expect(readEventLine(JSON.stringify(event))).toEqual(event);
    expect(readEventLine('{"event":"_heartbeat","cursor":"4"}')).toBeUndefined();
    expect(() => readEventLine('{"event":"_gap"}')).toThrow();
  });
});
