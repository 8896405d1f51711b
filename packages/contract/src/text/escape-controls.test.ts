import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeControls } from './escape-controls.ts';

test.each([
  ['plain', 'plain'],
  ['a\u001B[31mb\u009Bc', 'a\\u{1b}[31mb\\u{9b}c'],
  ['a\nb\rc\td\0', 'a\\nb\\rc\\td\\u{0}'],
  ['a\u202Eb\u2066c\u200Fd', 'a\\u{202e}b\\u{2066}c\\u{200f}d'],
  ['a\u200Bb\uFEFFc\u00ADd\u2028', 'a\\u{200b}b\\u{feff}c\\u{ad}d\\u{2028}'],
  ['a\u{E0041}b', 'a\\u{e0041}b'],
  ['a\uD800b', 'a\\u{d800}b'],
  ['👩‍💻 می‌خواهم ⚠️ é 発行', '👩‍💻 می‌خواهم ⚠️ é 発行'],
])('escapeControls escapes %j', (text, escaped) => {
  expect(escapeControls(text)).toBe(escaped);
});

test('escapeControls keeps line feeds and tabs in lines mode', () => {
  expect(escapeControls('a\n\tb\r\u0007', 'lines')).toBe('a\n\tb\\r\\u{7}');
});

test('escapeControls returns text that needs no further escaping', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const escaped = escapeControls(text);
      expect(escaped).not.toMatch(/\p{Cc}|\p{Cs}/u);
      expect(escapeControls(escaped)).toBe(escaped);
    }),
  );
});
