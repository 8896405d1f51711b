import { describe, expect, test } from 'vitest';
import { domainCandidates, fuseDomains, type DomainArms } from './fuse-domains.ts';

const NOTHING: DomainArms = {
  words: { hits: [], terms: [], bound: 2, total_matched: 0 },
  near: { hits: [], floor: 0.2 },
  beneath: [],
};

const shown = (): boolean => true;

describe('domains', () => {
  test('are found by words, by meaning that passes the floor, and by what lies in them', () => {
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
    // What its authors say in words and meaning, 0.75 × 1/2 + 0.1; a quarter of what lies in it.
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

  test('that are not shown are not found, and what lies in them speaks for the next above', () => {
    const arms = { ...NOTHING, beneath: [{ id: 'a/b/c/skill', score: 1 }] };
    const isShown = (path: string): boolean => path === 'a';
    expect(fuseDomains(arms, isShown, '')).toEqual([{ path: 'a', score: 0.25 }]);
    expect(fuseDomains(arms, isShown, 'a/b')).toEqual([]);
  });

  test('count their best artifact once, and equals stand by path', () => {
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

  test('are found by words and artifacts where the vectors do not answer', () => {
    const words = { ...NOTHING.words, hits: [{ path: 'ops', score: 1 }] };
    const arms = { ...NOTHING, words, near: undefined };
    expect(fuseDomains(arms, shown, '')).toEqual([{ path: 'ops', score: 0.375 }]);
  });
});
