import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundVector } from './round-vector.ts';

const unit = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 8, maxLength: 300 })
  .filter((values) => Math.hypot(...values) > 0.1)
  .map((values) => {
    const length = Math.hypot(...values);
    return Float32Array.from(values, (value) => value / length);
  });

function singleProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) {
    sum = Math.fround(sum + Math.fround((a[at] ?? 0) * (b[at] ?? 0)));
  }
  return sum;
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = a.length - 1; at >= 0; at -= 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

test('roundVector returns 16-bit floats whose 32-bit products and sums are exact in any order', () => {
  fc.assert(
    fc.property(unit, unit, (first, second) => {
      const length = Math.min(first.length, second.length);
      const [a, b] = [roundVector(first.slice(0, length)), roundVector(second.slice(0, length))];
      for (const value of a) expect(Math.f16round(value)).toBe(value);
      expect(singleProduct(a, b)).toBe(product(a, b));
      expect(singleProduct(a, a)).toBe(product(a, a));
      const exact = product(first.slice(0, length), second.slice(0, length));
      expect(Math.abs(product(a, b) - exact)).toBeLessThan(2e-3);
    }),
  );
});
