import { expect, test } from 'vitest';
import { boundOf, rarityOf } from './bm25.ts';
import { queryWords } from './query-terms.ts';
import { weighAmong } from './weigh-among.ts';

function documentsOf(...texts: string[]): ReadonlyMap<string, number>[] {
  return texts.map((text) => new Map(text.split(' ').map((term) => [term, 1])));
}

test('a word that stands for several counts once, by all their documents, and they for half of it', () => {
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

test('their documents are no more than there are', () => {
  const documents = documentsOf('kubectl kubernet', 'kubectl kubernet');
  const { bound } = weighAmong(documents, queryWords('kube'));
  expect(bound).toBe(boundOf([rarityOf(2, 2)]));
});

test('a word nobody has keeps its weight beside others that somebody has', () => {
  const { terms, bound } = weighAmong(documentsOf('deploy', 'x'), queryWords('deploy absent now '));
  expect(terms.map(({ term }) => term)).toEqual(['deploy', 'absent', 'now']);
  expect(bound).toBe(boundOf([rarityOf(2, 1), rarityOf(2, 0), rarityOf(2, 0)]));
});

test('no term is counted twice, whatever words stand for it', () => {
  const { terms } = weighAmong(documentsOf('deploy'), queryWords('depoly deplyo '));
  expect(terms.map((each) => [each.term, each.for])).toEqual([
    ['deploy', 'depoly'],
    ['deplyo', undefined],
  ]);
});

test('completions are asked for before corrections, and corrections only where nothing is found', () => {
  const documents = documentsOf('deploy deploymen');
  const meant = (query: string): (string | undefined)[] =>
    weighAmong(documents, queryWords(query)).terms.map((each) => each.for);
  expect(meant('deplo')).toEqual(['deplo', 'deplo']);
  expect(meant('deplo ')).toEqual(['deplo']);
  expect(meant('deploy depoly ')).toEqual([undefined, undefined]);
});
