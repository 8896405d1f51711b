import { expect, test } from 'vitest';
import { adapters } from '@catalog/harness/registry';
import { orderHarnesses } from './ask.ts';

test('harnesses in use come first, then products, then none, and neutral ids last', () => {
  const ids = ['none', 'harness-b', 'cursor', 'harness-a', 'claude-code'];
  expect(orderHarnesses(ids, ['cursor'])).toEqual([
    'cursor',
    'claude-code',
    'none',
    'harness-b',
    'harness-a',
  ]);
});

test('every harness is offered exactly once', () => {
  const all = [...adapters.keys()];
  expect(orderHarnesses(all, ['codex', 'harness-a']).toSorted()).toEqual(all.toSorted());
});
