import { expect, test } from 'vitest';
import { CLOCK_STEP_MS, isRacy, sameFingerprint, type Fingerprint } from './fingerprint.ts';

const SEEN: Fingerprint = { size: 1, mtime: 2, ctime: 3, inode: 4, mode: 5 };

test('two looks that saw the same are the same', () => {
  expect(sameFingerprint(SEEN, { ...SEEN })).toBe(true);
  expect(sameFingerprint(undefined, undefined)).toBe(true);
});

test.each(['size', 'mtime', 'ctime', 'inode', 'mode'] as const)(
  'another %s is a change',
  (part) => {
    expect(sameFingerprint(SEEN, { ...SEEN, [part]: 9 })).toBe(false);
  },
);

test('appearing and going are changes', () => {
  expect(sameFingerprint(SEEN, undefined)).toBe(false);
  expect(sameFingerprint(undefined, SEEN)).toBe(false);
});

test('a change within one clock step of the look cannot be told from one after it', () => {
  expect(isRacy(SEEN, SEEN.ctime + CLOCK_STEP_MS)).toBe(true);
  expect(isRacy(SEEN, SEEN.ctime + CLOCK_STEP_MS + 1)).toBe(false);
});
