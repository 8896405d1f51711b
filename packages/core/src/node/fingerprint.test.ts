import { expect, test } from 'vitest';
import { CLOCK_STEP_MS, isRacy, sameFingerprint, type Fingerprint } from './fingerprint.ts';

const SEEN: Fingerprint = { size: 1, mtime: 2, ctime: 3, inode: 4, mode: 5 };

test('sameFingerprint returns true for equal fingerprints', () => {
  expect(sameFingerprint(SEEN, { ...SEEN })).toBe(true);
  expect(sameFingerprint(undefined, undefined)).toBe(true);
});

test.each(['size', 'mtime', 'ctime', 'inode', 'mode'] as const)(
  'sameFingerprint returns false for a different %s',
  (part) => {
    expect(sameFingerprint(SEEN, { ...SEEN, [part]: 9 })).toBe(false);
  },
);

test('sameFingerprint returns false if a file appears or disappears', () => {
  expect(sameFingerprint(SEEN, undefined)).toBe(false);
  expect(sameFingerprint(undefined, SEEN)).toBe(false);
});

test('isRacy returns true for a change within one clock step', () => {
  expect(isRacy(SEEN, SEEN.ctime + CLOCK_STEP_MS)).toBe(true);
  expect(isRacy(SEEN, SEEN.ctime + CLOCK_STEP_MS + 1)).toBe(false);
});
