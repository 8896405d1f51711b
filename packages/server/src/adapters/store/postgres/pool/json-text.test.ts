import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { jsonText } from './json-text.ts';

test('every text comes back well formed, and a well formed one as it was', () => {
  assert(
    property(string({ unit: 'binary' }), string({ unit: 'binary' }), (one, other) => {
      const half = `${one}\\ud83d\\${other}\ud83d\\`;
      expect(JSON.parse(jsonText([half, one]))).toEqual([half.toWellFormed(), one.toWellFormed()]);
    }),
  );
});
