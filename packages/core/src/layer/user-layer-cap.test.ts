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
])('a deployment that says %s and a tenant that says %s: %s', (deployment, tenant, cap) => {
  expect(userLayerCap(deployment, tenant)).toBe(cap);
});
