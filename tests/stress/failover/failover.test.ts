import { describe, expect, test } from 'vitest';
import { READERS } from './readers.ts';
import { findReadFaults, findWriteFaults } from './round.ts';

describe('the checks of the failover test', () => {
  const failedAt = (began_ms: number) => ({ began_ms, what: '500' });
  const cut = (count: number) => Array.from({ length: count }, () => failedAt(90));

  test('allow one failed read per connection that was open at the kill, and none that started later', () => {
    expect(findReadFaults({ failed: cut(READERS), wrong: [] }, 100)).toEqual([]);
    expect(findReadFaults({ failed: cut(READERS + 1), wrong: [] }, 100)).toHaveLength(1);
    expect(findReadFaults({ failed: [failedAt(101)], wrong: [] }, 100)).toHaveLength(1);
    expect(findReadFaults({ failed: [], wrong: ['another text'] }, 100)).toEqual(['another text']);
  });

  const times = { killed_ms: 1_000, read_only_from: 4_000, read_only_until: 5_000 };
  const refusal = (began_ms: number, status: number, code: string) => ({
    began_ms,
    ended_ms: began_ms + 5,
    status,
    code,
  });
  const inMode = refusal(4_800, 503, 'registry.read_only');

  test.each([
    ['as it should be', [refusal(1_500, 500, 'registry.unavailable'), inMode], 0],
    ['refused before the kill', [refusal(900, 503, 'registry.read_only'), inMode], 1],
    ['another code', [refusal(1_500, 404, 'registry.not_found'), inMode], 1],
    ['no answer', [refusal(1_500, 0, ''), inMode], 1],
    ['unavailable in read-only mode', [refusal(4_700, 500, 'registry.unavailable'), inMode], 1],
    ['nothing was refused in the mode', [refusal(1_500, 500, 'registry.unavailable')], 1],
  ])('check the writes: %s', (_, refusals, faults) => {
    expect(findWriteFaults({ refusals }, times)).toHaveLength(faults);
  });
});
