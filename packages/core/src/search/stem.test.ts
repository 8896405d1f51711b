import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stem } from './stem.ts';

describe('forms of one word have one stem', () => {
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
  ])('%s', (...words) => {
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
])('%s is not %s', (one, other) => {
  expect(stem(one)).not.toBe(stem(other));
});

test('words that are not plain lower-case letters are left alone', () => {
  for (const word of ['', 'is', 'sha256', 'résumés', 'Invoices', '発行s']) {
    expect(stem(word)).toBe(word);
  }
});

test('a stem is of plain letters, and at most one longer than its word', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{3,20}$/), (word) => {
      expect(stem(word)).toMatch(/^[a-z]+$/);
      expect(stem(word).length).toBeLessThanOrEqual(word.length + 1);
    }),
  );
});
