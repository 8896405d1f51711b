import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { gatherLines } from './gather-lines.ts';

test('gatherLines formats and writes lines together, in order, shortly after the first', async () => {
  const passed: string[] = [];
  let made = 0;
  const lines = gatherLines((text) => passed.push(text));
  lines.write('a\n');
  lines.write(() => {
    made += 1;
    return 'b\n';
  });
  lines.write('c\n');
  expect([made, passed]).toEqual([0, []]);
  await delay(50);
  expect(passed).toEqual(['a\nb\nc\n']);
  lines.write('d\n');
  lines.flush();
  expect(passed).toEqual(['a\nb\nc\n', 'd\n']);
  await delay(50);
  expect(passed).toHaveLength(2);
});

test('gatherLines writes many lines immediately', () => {
  const passed: string[] = [];
  const lines = gatherLines((text) => passed.push(text));
  for (let index = 0; index < 1200; index += 1) lines.write(`${index}\n`);
  expect(passed).toHaveLength(2);
  lines.flush();
  expect(passed.join('').split('\n')).toHaveLength(1201);
});
