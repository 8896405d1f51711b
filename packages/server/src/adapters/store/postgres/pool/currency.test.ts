import { expect, test } from 'vitest';
import { currentSince } from './currency.ts';

const look = (position: number, behind_ms: number) =>
  ({ kind: 'standby', position, behind_ms }) as const;

test('a standby that has all a quiet primary has is current, however old its last transaction is', () => {
  const marks = [{ position: 100, at_ms: 5_000 }];
  expect(currentSince(undefined, look(100, 3_600_000), 5_010, marks)).toBe(5_000);
});

test('one that is behind is as old as what it replayed last, or as when it last had everything', () => {
  const marks = [{ position: 200, at_ms: 9_000 }];
  expect(currentSince(undefined, look(100, 700), 9_010, marks)).toBe(8_310);
  expect(currentSince(8_500, look(100, 700), 9_010, marks)).toBe(8_500);
});

test('of what the primary had at several moments, the latest it has reached counts', () => {
  const marks = [
    { position: 100, at_ms: 4_000 },
    { position: 200, at_ms: 9_000 },
  ];
  expect(currentSince(undefined, look(150, 60_000), 9_010, marks)).toBe(4_000);
  expect(currentSince(undefined, look(200, 60_000), 9_010, marks)).toBe(9_000);
});

test('with the primary gone it stays where it was, so that its age grows', () => {
  expect(currentSince(4_000, look(100, 60_000), 30_000, [{ position: 200, at_ms: 5_000 }])).toBe(
    4_000,
  );
});
