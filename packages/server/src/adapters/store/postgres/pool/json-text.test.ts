import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { jsonText } from './json-text.ts';

test('jsonText replaces unpaired surrogates and keeps well-formed strings', () => {
  assert(
    property(string({ unit: 'binary' }), string({ unit: 'binary' }), (one, other) => {
      const half = `${one}\\ud83d\\${other}\ud83d\\`;
      expect(JSON.parse(jsonText([half, one]))).toEqual([half.toWellFormed(), one.toWellFormed()]);
    }),
  );
});
