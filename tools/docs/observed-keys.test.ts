import { FIRST_CLASS_TYPES } from '@catalog/core/artifact/types';
import { adapters, loadAdapter } from '@catalog/harness/registry';
import { expect, test } from 'vitest';
import { keysOf, observeKey } from './observed-keys.ts';

const columns = [...adapters.keys()].flatMap((id) => [
  [id, loadAdapter(id)] as const,
  [`${id} in the home folder`, loadAdapter(id, 'user')] as const,
]);

test.each(columns)('%s writes, converts or reports every key', (_, adapter) => {
  const silent = FIRST_CLASS_TYPES.flatMap((type) =>
    keysOf(type)
      .filter((key) => observeKey(adapter, type, key) === 'silent')
      .map((key) => `${type}: ${key}`),
  );
  expect(silent).toEqual([]);
});
