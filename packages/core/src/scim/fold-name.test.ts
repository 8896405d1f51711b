import { expect, test } from 'vitest';
import { foldName } from './fold-name.ts';

test('names are compared in small letters, and no letter becomes another alphabet’s', () => {
  expect(foldName('Ann@Example.COM')).toBe('ann@example.com');
  expect(foldName('ÄNNE')).toBe('änne');
  // The signs for kelvin and ångström, and the capital i with a dot.
  for (const sign of ['\u212A', '\u212B', '\u0130', '\u2126']) {
    expect(foldName(`${sign}IM`)).toBe(`${sign}im`);
    expect(foldName(`${sign}im`)).not.toMatch(/^[a-zåω]/);
  }
});
