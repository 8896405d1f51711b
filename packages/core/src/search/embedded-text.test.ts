import { expect, test } from 'vitest';
import { domainText, embeddedText } from './embedded-text.ts';

const bare = { id: 'merge', name: 'merge', description: '', when_to_use: [], tags: [] };

test('an artifact is embedded by its name, lines, tags and the words of its domain', () => {
  const text = embeddedText({
    id: 'documents/pdf-files/merge',
    name: 'PDF merge',
    description: 'Combines several PDF files.\n',
    when_to_use: ['Someone has five scans.', ' Pages are to be reordered. '],
    tags: ['pdf', 'office'],
  });
  expect(text).toBe(
    'PDF merge\nCombines several PDF files.\nSomeone has five scans.\nPages are to be reordered.\n' +
      'pdf office\ndocuments pdf-files',
  );
});

test('what is empty leaves no line', () => {
  expect(embeddedText(bare)).toBe('merge');
  expect(embeddedText({ ...bare, description: ' \n', when_to_use: [''], tags: ['a'] })).toBe(
    'merge\na',
  );
});

const quiet = { path: 'ops/deploy', description: '', keywords: [], body: '' };

test('a domain is embedded by its path, line, keywords and the beginning of its text', () => {
  const body = `\nRollbacks. ${'word '.repeat(498)}near far`;
  const text = domainText({
    ...quiet,
    description: 'Shipping.',
    keywords: ['release train', 'canary'],
    body,
  });
  expect(text.split('\n').slice(0, 3)).toEqual(['ops deploy', 'Shipping.', 'release train canary']);
  expect(text).toContain('\nRollbacks.');
  expect(text.endsWith(' near')).toBe(true);
});

test('one whose authors say nothing has no text, not even its path', () => {
  expect(domainText(quiet)).toBe('');
});
