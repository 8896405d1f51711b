import * as fc from 'fast-check';
import type { DomainText, HeadTraits } from './domain-model.conformance.ts';

const segment = fc.constantFrom('a', 'b', 'a-b');
const path = fc
  .array(segment, { minLength: 1, maxLength: 3 })
  .map((segments) => segments.join('/'));
const id = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'));
const glob = fc.oneof(
  id,
  fc.constantFrom('**', '*', 'a/*', 'a/**', '*/b', 'b/{a,b}', 'a-b/**/a', 'a*/b', '[', 'b/a/**'),
);
const words = fc.constantFrom('release', 'releasing notes', 'notes', 'deploy the notes', '');

const traits: fc.Arbitrary<HeadTraits> = fc.record(
  {
    version: fc.constantFrom('1.0.0', '2.0.0'),
    deprecated: fc.constantFrom(false, false, false, true),
    search_visibility: fc.constantFrom('indexed', 'indexed', 'indexed', 'direct-only'),
    tags: fc.subarray(['red', 'green']),
  },
  { requiredKeys: [] },
);

const domainText: fc.Arbitrary<DomainText> = fc.record({
  fields: fc.record(
    {
      unlisted: fc.constantFrom(false, false, true),
      description: words,
      include: fc.array(glob, { maxLength: 3 }),
      exclude: fc.array(glob, { maxLength: 1 }),
      discovery: fc.record(
        {
          max_depth: fc.integer({ min: 1, max: 4 }),
          notable_count: fc.integer({ min: 0, max: 5 }),
          fold_below_artifacts: fc.integer({ min: 0, max: 4 }),
          featured: fc.array(id, { maxLength: 2 }),
          deprioritize: fc.array(glob, { maxLength: 1 }),
          keywords: fc.array(words, { maxLength: 2 }),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  ),
  body: words,
});

const layer = fc.integer({ min: 1, max: 4 });
export const step = fc.oneof(
  fc.record({
    kind: fc.constant('put' as const),
    layer,
    heads: fc.dictionary(id, traits, { minKeys: 1, maxKeys: 6 }),
  }),
  fc.record({
    kind: fc.constant('remove' as const),
    layer,
    ids: fc.array(id, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    kind: fc.constant('describe' as const),
    layer,
    domains: fc.dictionary(path, domainText, { minKeys: 1, maxKeys: 3 }),
  }),
  fc.record({
    kind: fc.constant('undescribe' as const),
    layer,
    paths: fc.array(path, { minLength: 1, maxLength: 3 }),
  }),
);
export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

export const question = fc.record({
  layers: fc.uniqueArray(layer, { maxLength: 4 }),
  path: fc.oneof(fc.constant(''), path),
  limits: fc.record({
    each: fc.constantFrom(1, 2, Infinity),
    all: fc.constantFrom(1, 3, Infinity),
  }),
  fewer_than: fc.integer({ min: 1, max: 5 }),
  page: fc.integer({ min: 1, max: 4 }),
  ids: fc.array(id, { maxLength: 5 }),
  request: fc.record(
    {
      depth: fc.integer({ min: 0, max: 4 }),
      discovery: fc.record(
        {
          fold_below_artifacts: fc.integer({ min: 0, max: 4 }),
          fold_passthrough_chains: fc.boolean(),
          target_response_tokens: fc.constantFrom(10, 40, 4000),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  ),
  query: fc.oneof(words, fc.constantFrom('rel', 'relaese', 'not', 'ntoes the', 'nobody ')),
});
export type Question = typeof question extends fc.Arbitrary<infer Value> ? Value : never;
