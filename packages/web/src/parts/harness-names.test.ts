import { adapters } from '@catalog/harness/registry';
import { expect, test } from 'vitest';
import { HARNESS_NAMES } from './harness-names.ts';

/** Adapters of the specification, which stand for no product. */
const NEUTRAL = /^(?:none|harness-[a-i])$/;

test('every harness has a name', () => {
  const products = [...adapters.keys()].filter((id) => !NEUTRAL.test(id));
  expect(Object.keys(HARNESS_NAMES).toSorted()).toEqual(products.toSorted());
});
