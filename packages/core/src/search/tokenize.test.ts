import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentTerms } from './document-terms.ts';
import { queryTerms } from './query-terms.ts';
import { tokenize } from './tokenize.ts';

function termsOf(text: string): string[] {
  return tokenize(text, 'document').flatMap(({ terms }) => terms);
}

test.each([
  ['Sends an Invoice.', ['send', 'an', 'invoic']],
  ['snake_case kebab-case a/path.ts', ['snake', 'case', 'kebab', 'case', 'a', 'path', 'ts']],
  ['parseInvoice', ['parseinvoic', 'pars', 'invoic']],
  ['HTTPServer', ['httpserver', 'http', 'server']],
  ['iOS OAuth', ['io', 'os', 'oauth', 'auth']],
  ['sha256 s3 42', ['sha256', 'sha', '256', 's3', '42']],
  ["the team's don't", ['the', 'team', 'dont']],
  ['l’été Straße ﬁne ＡＢＣ', ['lete', 'strass', 'fine', 'abc']],
  ['Ærø ŁÓDŹ ἀρχή', ['aero', 'lodz', 'αρχη']],
  ['東京都', ['東', '京', '都', '東京', '京都']],
  ['使う', ['使', 'う', '使う']],
  ['ガ', ['ガ']],
  ['GitHubの使い方', ['github', 'git', 'hub', 'の', '使', 'い', '方', 'の使', '使い', 'い方']],
  ['हिन्दी', ['हिन्दी']],
  ['!? — …', []],
])('tokenize splits %s', (text, terms) => {
  expect(termsOf(text)).toEqual(terms);
});

test('tokenize counts words, not their parts', () => {
  const tokens = tokenize('parseInvoice of 東京', 'document');
  expect(tokens.map(({ length }) => length)).toEqual([1, 1, 2]);
});

test('tokenize limits the length of terms and texts', () => {
  expect(termsOf('x'.repeat(1000))).toEqual(['x'.repeat(64)]);
  expect(termsOf('\u{20000}'.repeat(70)).every((term) => term.isWellFormed())).toBe(true);
  expect(termsOf('word '.repeat(100_000)).length).toBeLessThan(15_000);
  expect(queryTerms(Array.from({ length: 500 }, (_, index) => `w${index}`).join(' '))).toHaveLength(
    64,
  );
});

test('queryTerms omits stopwords unless there are no other words', () => {
  expect(queryTerms('How do I send the invoices?')).toEqual(['send', 'invoic']);
  expect(queryTerms('to be or not to be')).toEqual(['to', 'be', 'or', 'not']);
  expect(queryTerms('invoice invoices')).toEqual(['invoic']);
  expect(queryTerms('東京都')).toEqual(['東京', '京都']);
  expect(queryTerms('東')).toEqual(['東']);
});

test('queryTerms of any document text match the document', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.lorem({ maxCount: 5 }),
  );
  fc.assert(
    fc.property(text, (description) => {
      const document = { id: 'a', type: 'skill', tags: [], name: '', description, when_to_use: [] };
      const terms = documentTerms(document);
      for (const term of queryTerms(description)) expect(terms.has(term), term).toBe(true);
    }),
    { numRuns: 200 },
  );
});
