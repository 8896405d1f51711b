import { expect, test } from 'vitest';
import { highlight } from './highlight.ts';

test('highlight recognizes a comment that spans several lines', async () => {
  const lines = await highlight('/* one\ntwo */\nconst a = 1;\n', 'typescript');
  expect(lines).toHaveLength(4);
  expect(lines[1]).toEqual([{ text: 'two */', kind: 'comment' }]);
  expect(lines[2]?.[0]).toEqual({ text: 'const', kind: 'keyword' });
});

test('highlight keeps a line over 1000 characters plain and colors the next line', async () => {
  const long = `const a = '${'x'.repeat(1000)}';`;
  const lines = await highlight(`${long}\nconst b = 1;`, 'typescript');
  expect(lines[0]).toEqual([{ text: long, kind: '' }]);
  expect(lines[1]?.[0]).toEqual({ text: 'const', kind: 'keyword' });
});

async function highlightLines(count: number, ms_per_line: number) {
  let ms = 0;
  let reactions = 0;
  const timer = setInterval(() => (reactions += 1));
  const line = "const a = 'b';";
  // `highlight` reads the clock before and after each line.
  const lines = await highlight(`${line}\n`.repeat(count), 'typescript', () => {
    ms += ms_per_line / 2;
    return ms;
  });
  clearInterval(timer);
  const highlighted = lines.filter((tokens) => tokens.length > 1).length;
  return { highlighted, reactions };
}

test('highlight stops after three seconds and leaves the other lines plain', async () => {
  const { highlighted } = await highlightLines(1000, 10);
  expect(highlighted).toBeGreaterThan(200);
  expect(highlighted).toBeLessThan(310);
});

test('highlight lets the page react while it processes slow lines', async () => {
  expect((await highlightLines(100, 20)).reactions).toBeGreaterThan(10);
  expect((await highlightLines(100, 0.01)).reactions).toBe(0);
});
