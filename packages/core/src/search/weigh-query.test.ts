import { expect, test } from 'vitest';
import { boundOf, rarityOf } from './bm25.ts';
import { queryWords } from './query-terms.ts';
import { weighAmong } from './weigh-among.ts';

function documentsOf(...texts: string[]): ReadonlyMap<string, number>[] {
  return texts.map((text) => new Map(text.split(' ').map((term) => [term, 1])));
}

test('counts a word with several completions once, by all their documents, at half the weight', () => {
  const documents = documentsOf('kubectl', 'kubectl', 'kubernet', 'other');
  const { terms, bound } = weighAmong(documents, queryWords('kube'));
  const whole = rarityOf(4, 3);
  const rarity = Math.round(whole / 2);
  expect(terms).toEqual([
    { term: 'kubectl', rarity, for: 'kube' },
    { term: 'kubernet', rarity, for: 'kube' },
  ]);
  expect(bound).toBe(boundOf([whole]));
});

test('counts at most the existing documents for completions', () => {
  const documents = documentsOf('kubectl kubernet', 'kubectl kubernet');
  const { bound } = weighAmong(documents, queryWords('kube'));
  expect(bound).toBe(boundOf([rarityOf(2, 2)]));
});

test('keeps the weight of an unknown word next to known words', () => {
  const { terms, bound } = weighAmong(documentsOf('deploy', 'x'), queryWords('deploy absent now '));
  expect(terms.map(({ term }) => term)).toEqual(['deploy', 'absent', 'now']);
  expect(bound).toBe(boundOf([rarityOf(2, 1), rarityOf(2, 0), rarityOf(2, 0)]));
});

test('counts each term once, even if several words are corrected to it', () => {
  const { terms } = weighAmong(documentsOf('deploy'), queryWords('depoly deplyo '));
  expect(terms.map((each) => [each.term, each.for])).toEqual([
    ['deploy', 'depoly'],
    ['deplyo', undefined],
  ]);
});

test('tries completions first, and corrections only if there are no results', () => {
  const documents = documentsOf('deploy deploymen');
  const meant = (query: string): (string | undefined)[] =>
    weighAmong(documents, queryWords(query)).terms.map((each) => each.for);
  expect(meant('deplo')).toEqual(['deplo', 'deplo']);
  expect(meant('deplo ')).toEqual(['deplo']);
  expect(meant('deploy depoly ')).toEqual([undefined, undefined]);
});
