import { expect, test } from 'vitest';
import { userLayerCap } from './user-layer-cap.ts';

test.each([
  [undefined, 0, 3],
  [undefined, 5, 5],
  [undefined, -1, Infinity],
  [2, 0, 2],
  [2, 9, 2],
  [2, -1, 2],
  [0, 9, 0],
  [-1, 1, Infinity],
])('userLayerCap for deployment %s and tenant %s is %s', (deployment, tenant, cap) => {
  expect(userLayerCap(deployment, tenant)).toBe(cap);
});
