import { expect, test } from 'vitest';
import { computeFreshness } from './standby-freshness.ts';

const look = (position: number, behind_ms: number) =>
  ({ kind: 'standby', position, behind_ms }) as const;

test('computeFreshness treats a standby with all data of an idle primary as current', () => {
  const marks = [{ position: 100, at_ms: 5_000 }];
  expect(computeFreshness(undefined, look(100, 3_600_000), 5_010, marks)).toBe(5_000);
});

test('computeFreshness dates a lagging standby by its last replayed transaction, or by the last time when it had all data', () => {
  const marks = [{ position: 200, at_ms: 9_000 }];
  expect(computeFreshness(undefined, look(100, 700), 9_010, marks)).toBe(8_310);
  expect(computeFreshness(8_500, look(100, 700), 9_010, marks)).toBe(8_500);
});

test('computeFreshness uses the latest mark that the standby has reached', () => {
  const marks = [
    { position: 100, at_ms: 4_000 },
    { position: 200, at_ms: 9_000 },
  ];
  expect(computeFreshness(undefined, look(150, 60_000), 9_010, marks)).toBe(4_000);
  expect(computeFreshness(undefined, look(200, 60_000), 9_010, marks)).toBe(9_000);
});

test('computeFreshness keeps its value while the primary is unavailable, so that the lag grows', () => {
  expect(
    computeFreshness(4_000, look(100, 60_000), 30_000, [{ position: 200, at_ms: 5_000 }]),
  ).toBe(4_000);
});
