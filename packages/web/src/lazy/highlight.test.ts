import { expect, test } from 'vitest';
import { highlight } from './highlight.ts';

test('a construct over several lines is highlighted as one', async () => {
  const lines = await highlight('/* one\ntwo */\nconst a = 1;\n', 'typescript');
  expect(lines).toHaveLength(4);
  expect(lines[1]).toEqual([{ text: 'two */', kind: 'comment' }]);
  expect(lines[2]?.[0]).toEqual({ text: 'const', kind: 'keyword' });
});

test('a long line stays plain, and the lines after it are highlighted', async () => {
  const long = `const a = '${'x'.repeat(1000)}';`;
  const lines = await highlight(`${long}\nconst b = 1;`, 'typescript');
  expect(lines[0]).toEqual([{ text: long, kind: '' }]);
  expect(lines[1]?.[0]).toEqual({ text: 'const', kind: 'keyword' });
});

test('the page can react while a text is highlighted, and what takes too long stays plain', async () => {
  const slow = '**a *b '.repeat(140);
  let reactions = 0;
  const timer = setInterval(() => {
    reactions += 1;
  });
  const lines = await highlight(`\`code\`\n\n${`${slow}\n\n`.repeat(500)}\`code\``, 'markdown');
  clearInterval(timer);
  expect(reactions).toBeGreaterThan(10);
  expect(lines.at(0)).not.toEqual([{ text: '`code`', kind: '' }]);
  expect(lines.at(-1)).toEqual([{ text: '`code`', kind: '' }]);
});
