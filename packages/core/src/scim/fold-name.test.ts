import { expect, test } from 'vitest';
import { foldName } from './fold-name.ts';

test('foldName lowercases names but keeps letters whose lowercase form is in another alphabet', () => {
  expect(foldName('Ann@Example.COM')).toBe('ann@example.com');
  expect(foldName('ÄNNE')).toBe('änne');
  // Signs for kelvin and angstrom, a capital I with a dot, and the ohm sign.
  for (const sign of ['\u212A', '\u212B', '\u0130', '\u2126']) {
    expect(foldName(`${sign}IM`)).toBe(`${sign}im`);
    expect(foldName(`${sign}im`)).not.toMatch(/^[a-zåω]/);
  }
});
