import { describe, expect, test } from 'vitest';
import { domainCandidates, fuseDomains, type DomainArms } from './fuse-domains.ts';

const NOTHING: DomainArms = {
  words: { hits: [], terms: [], bound: 2, total_matched: 0 },
  near: { hits: [], floor: 0.2 },
  beneath: [],
};

const shown = (): boolean => true;

describe('fuseDomains', () => {
  test('finds domains by words, by similarity above the floor, and by their artifacts', () => {
    const arms: DomainArms = {
      words: { ...NOTHING.words, hits: [{ path: 'ops', score: 1 }] },
      near: {
        hits: [
          { path: 'release', similarity: 0.5 },
          { path: 'far', similarity: 0.1 },
          { path: 'ops', similarity: 0.1 },
        ],
        floor: 0.2,
      },
      beneath: [{ id: 'finance/invoices/send', score: 0.8 }],
    };
    // Words and vector of the domain: 0.75 × 1/2 + 0.1; plus a quarter of its best artifact.
    expect(fuseDomains(arms, shown, '')).toEqual([
      { path: 'release', score: 0.5 },
      { path: 'ops', score: 0.475 },
      { path: 'finance/invoices', score: 0.2 },
    ]);
    expect(domainCandidates(arms).sort()).toEqual([
      'finance',
      'finance/invoices',
      'ops',
      'release',
    ]);
  });

  test('skips hidden domains and credits their artifacts to the next visible ancestor', () => {
    const arms = { ...NOTHING, beneath: [{ id: 'a/b/c/skill', score: 1 }] };
    const isShown = (path: string): boolean => path === 'a';
    expect(fuseDomains(arms, isShown, '')).toEqual([{ path: 'a', score: 0.25 }]);
    expect(fuseDomains(arms, isShown, 'a/b')).toEqual([]);
  });

  test('counts only the best artifact of a domain, and orders ties by path', () => {
    const beneath = [
      { id: 'b/one', score: 0.8 },
      { id: 'b/two', score: 0.8 },
      { id: 'a/one', score: 0.8 },
    ];
    expect(fuseDomains({ ...NOTHING, beneath }, shown, '')).toEqual([
      { path: 'a', score: 0.2 },
      { path: 'b', score: 0.2 },
    ]);
  });

  test('uses words and artifacts if the vector search fails', () => {
    const words = { ...NOTHING.words, hits: [{ path: 'ops', score: 1 }] };
    const arms = { ...NOTHING, words, near: undefined };
    expect(fuseDomains(arms, shown, '')).toEqual([{ path: 'ops', score: 0.375 }]);
  });
});
