import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { gatherLines } from './gather-lines.ts';

test('lines are passed on together, in order, shortly after the first', async () => {
  const passed: string[] = [];
  const lines = gatherLines((text) => passed.push(text));
  lines.write('a\n');
  lines.write('b\n');
  expect(passed).toEqual([]);
  await delay(50);
  expect(passed).toEqual(['a\nb\n']);
  lines.write('c\n');
  lines.flush();
  expect(passed).toEqual(['a\nb\n', 'c\n']);
  await delay(50);
  expect(passed).toHaveLength(2);
});

test('many lines wait for nobody', () => {
  const passed: string[] = [];
  const lines = gatherLines((text) => passed.push(text));
  for (let index = 0; index < 1000; index += 1) lines.write(`${'x'.repeat(99)}\n`);
  lines.flush();
  expect(passed.length).toBeGreaterThan(1);
  expect(passed.join('')).toHaveLength(100_000);
});
