import { expect, test } from 'vitest';
import { derivedVersion, isDerivedVersion } from './derived-version.ts';

test('isDerivedVersion returns true for a derived version', () => {
  const version = derivedVersion(`sha256:${'4c14b3a70af7'.padEnd(64, '0')}`);
  expect(version).toBe('0.0.0-h4c14b3a70af7');
  expect(isDerivedVersion(version)).toBe(true);
});

test.each([
  '0.0.0',
  '1.0.0-h4c14b3a70af7',
  '0.0.0-h4c14b3a70af',
  '0.0.0-h4c14b3a70af70',
  '0.0.0-h4C14B3A70AF7',
  '0.0.0-hotfix',
  '0.0.0-h4c14b3a70af7+dev.1',
])('isDerivedVersion returns false for %s', (version) => {
  expect(isDerivedVersion(version)).toBe(false);
});
