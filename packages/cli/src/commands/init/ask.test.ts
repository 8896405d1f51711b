import { expect, test } from 'vitest';
import { adapters } from '@catalog/harness/registry';
import { orderHarnesses } from './ask.ts';

test('orders harnesses in use first, then products, then none, then neutral ids', () => {
  const ids = ['none', 'harness-b', 'cursor', 'harness-a', 'claude-code'];
  expect(orderHarnesses(ids, ['cursor'])).toEqual([
    'cursor',
    'claude-code',
    'none',
    'harness-b',
    'harness-a',
  ]);
});

test('offers every harness exactly once', () => {
  const all = [...adapters.keys()];
  expect(orderHarnesses(all, ['codex', 'harness-a']).toSorted()).toEqual(all.toSorted());
});
