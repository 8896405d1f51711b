import { expect, test } from 'vitest';
import { domainText, embeddedText } from './embedded-text.ts';

const bare = { id: 'merge', name: 'merge', description: '', when_to_use: [], tags: [] };

test('embeddedText includes name, descriptions, tags and the words of the domain', () => {
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

test('embeddedText has no empty lines', () => {
  expect(embeddedText(bare)).toBe('merge');
  expect(embeddedText({ ...bare, description: ' \n', when_to_use: [''], tags: ['a'] })).toBe(
    'merge\na',
  );
});

const quiet = { path: 'ops/deploy', description: '', keywords: [], body: '' };

test('domainText includes path, description, keywords and the beginning of the body', () => {
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

test('domainText is empty for a domain without a description, despite its path', () => {
  expect(domainText(quiet)).toBe('');
});
