import { expect, test } from 'vitest';
import { domainTerms } from './domain-terms.ts';

const quiet = { path: 'ops/deploy', description: '', keywords: [], body: '' };

test('domainTerms includes path, description, keywords and body', () => {
  const terms = domainTerms({
    ...quiet,
    description: 'Shipping.',
    keywords: ['release train'],
    body: '\nRollbacks.\n',
  });
  expect([...terms.keys()].sort()).toEqual(['deploy', 'op', 'releas', 'rollback', 'ship', 'train']);
  expect(terms.get('train')).toBeGreaterThan(terms.get('rollback') ?? 0);
});

test('domainTerms is empty for a domain without a description, despite its path', () => {
  expect(domainTerms(quiet).size).toBe(0);
});

test('domainTerms reads only the first 500 words of the body', () => {
  const body = ` ${'word '.repeat(499)}near far`;
  const terms = domainTerms({ ...quiet, body });
  expect(terms.has('near')).toBe(true);
  expect(terms.has('far')).toBe(false);
});
