import { expect, test } from 'vitest';
import { ledgerKey } from './ledger-key.ts';

test.each([
  ['1.2.3', 'a@1.2.3'],
  ['1.2.3+build', 'a@1.2.3'],
  ['1.2.3-rc.1+build.7', 'a@1.2.3-rc.1'],
  ['1.2.3+dev.4', 'a@1.2.3+dev.4'],
  ['1.2.3+dev.x', 'a@1.2.3'],
])('ledgerKey maps %s to %s', (version, key) => {
  expect(ledgerKey('a', version)).toBe(key);
});
