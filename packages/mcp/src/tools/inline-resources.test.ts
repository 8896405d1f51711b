import { expect, test } from 'vitest';
import { inlineResources } from './inline-resources.ts';

function file(path: string, content: string | Buffer) {
  return { path, bytes: Buffer.from(content), executable: false };
}

test('inlineResources includes text and lists other files by size', () => {
  expect(
    inlineResources([
      file('a.md', 'Grüße'),
      file('b.bin', Buffer.from([1, 0, 2])),
      file('c.bin', Buffer.from([0xff, 0xfe])),
      file('d.txt', 'x'.repeat(65_537)),
    ]),
  ).toEqual({
    resources: { 'a.md': 'Grüße' },
    omitted_resources: [
      { path: 'b.bin', size: 3 },
      { path: 'c.bin', size: 2 },
      { path: 'd.txt', size: 65_537 },
    ],
  });
});

test('inlineResources limits the total size', () => {
  const files = Array.from({ length: 6 }, (_, at) => file(`${at}.txt`, 'x'.repeat(60_000)));
  const { resources, omitted_resources } = inlineResources(files);
  expect(Object.keys(resources)).toHaveLength(4);
  expect(omitted_resources).toHaveLength(2);
});

test('inlineResources includes a file with any name', () => {
  const { resources } = inlineResources([file('__proto__', 'x')]);
  expect(JSON.stringify(resources)).toBe('{"__proto__":"x"}');
});
