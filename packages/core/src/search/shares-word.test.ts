import { expect, test } from 'vitest';
import type { SearchedTerm } from '../ports/search-index.ts';
import { sharesWord } from './shares-word.ts';

function answer(...terms: [term: string, word?: string][]) {
  const searched = terms.map(([term, word]): SearchedTerm => ({ term, rarity: 1, for: word }));
  return { is_known: true, terms: searched };
}

test.each([
  ['a word of a document', answer(['deploy']), 0.2, true],
  ['a completion', answer(['moon'], ['landingpage', 'landing']), 0.2, true],
  [
    'corrections of words that the model does not know',
    answer(['deploy', 'depoly']),
    Infinity,
    true,
  ],
  ['corrections next to a short word', answer(['deploy', 'depoly'], ['gsu']), Infinity, true],
  ['corrections of some words only', answer(['deploy', 'depoly'], ['zzqxw']), Infinity, false],
  ['corrections in a query with a known word', answer(['and', 'landing']), 0.2, false],
])('sharesWord for %s', (_name, found, least_nearest, expected) => {
  expect(sharesWord(found, least_nearest)).toBe(expected);
});

test('sharesWord returns false if no document has any of the words', () => {
  expect(sharesWord({ is_known: false, terms: [] }, Infinity)).toBe(false);
});
