import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stem } from './stem.ts';

describe('stem of different forms of a word', () => {
  test.each([
    ['invoice', 'invoices', 'invoiced', 'invoicing'],
    ['deploy', 'deploys', 'deployed', 'deploying'],
    ['query', 'queries', 'queried', 'querying'],
    ['plan', 'plans', 'planned', 'planning'],
    ['add', 'adds', 'added', 'adding'],
    ['relate', 'relates', 'related', 'relating'],
    ['generalization', 'generalizations', 'generalize', 'generalized'],
    ['migration', 'migrations', 'migrate', 'migrating'],
    ['agree', 'agrees', 'agreed', 'agreeing'],
    ['tie', 'ties', 'tied', 'tying'],
    ['class', 'classes'],
    ['analysis'],
    ['technology', 'technologies'],
    ['hopeful', 'hopefully', 'hopefulness'],
    ['responsible', 'responsibly'],
    ['controlling', 'control', 'controlled'],
    ['happy', 'happiness'],
    ['engineering', 'engineer', 'engineers'],
    ['inning', 'innings'],
    ['cry', 'cries', 'cried'],
  ])('is the same for %s', (...words) => {
    expect(new Set(words.map(stem)).size, words.map(stem).join(' ')).toBe(1);
  });
});

test.each([
  ['universe', 'university'],
  ['organ', 'organic'],
  ['internal', 'international'],
  ['emerge', 'emergency'],
  ['new', 'news'],
  ['by', 'bye'],
  ['bed', 'be'],
])('stem of %s differs from stem of %s', (one, other) => {
  expect(stem(one)).not.toBe(stem(other));
});

test('stem leaves words other than lowercase ASCII unchanged', () => {
  for (const word of ['', 'is', 'sha256', 'résumés', 'Invoices', '発行s']) {
    expect(stem(word)).toBe(word);
  }
});

test('stem returns lowercase letters, at most one more than the word', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{3,20}$/), (word) => {
      expect(stem(word)).toMatch(/^[a-z]+$/);
      expect(stem(word).length).toBeLessThanOrEqual(word.length + 1);
    }),
  );
});
