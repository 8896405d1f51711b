import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeDomains, type MergedDomain } from './merge-domains.ts';
import type { Domain, DomainFields } from './read-domain.ts';

function layers(...fields: readonly (DomainFields & { body?: string })[]): Domain[] {
  return fields.map(({ body = '', ...rest }, index) => ({
    path: 'ops',
    layer: `layer-${index}`,
    fields: rest,
    body,
  }));
}

/** Cases of merging, lowest precedence first. */
const ROWS: readonly (readonly [
  what: string,
  layers: readonly (DomainFields & { body?: string })[],
  expected: Partial<MergedDomain>,
])[] = [
  ['description: the last', [{ description: 'a' }, { description: 'b' }], { description: 'b' }],
  [
    'description: the last that says something',
    [{ description: 'a' }, { description: ' ' }, {}],
    { description: 'a' },
  ],
  ['description: none', [{}], { description: '' }],
  ['body: the last', [{ body: 'A\n' }, { body: 'B\n' }], { body: 'B\n' }],
  ['body: the last that says something', [{ body: 'A\n' }, { body: '\n' }], { body: 'A\n' }],
  ['unlisted: if any', [{ unlisted: true }, { unlisted: false }], { unlisted: true }],
  ['unlisted: if none', [{ unlisted: false }, {}], { unlisted: false }],
  [
    'include: all, each once',
    [{ include: ['a', 'b'] }, { include: ['b', 'c'] }],
    { include: ['a', 'b', 'c'] },
  ],
  [
    'exclude: all, each once',
    [{ exclude: ['b', 'a'] }, {}, { exclude: ['a', 'c'] }],
    { exclude: ['b', 'a', 'c'] },
  ],
  [
    'featured, deprioritize, keywords: all, each once',
    [
      { discovery: { featured: ['x'], deprioritize: ['d/*'], keywords: ['k'] } },
      { discovery: { featured: ['y', 'x'], deprioritize: ['e/*'], keywords: ['k', 'l'] } },
    ],
    { featured: ['x', 'y'], deprioritize: ['d/*', 'e/*'], keywords: ['k', 'l'] },
  ],
  [
    'sizes: the lowest that is not zero',
    [
      { discovery: { max_depth: 4, notable_count: 0, target_response_tokens: 900 } },
      { discovery: { max_depth: 2, notable_count: 7, target_response_tokens: 0 } },
      { discovery: { max_depth: 3, notable_count: 9 } },
    ],
    { settings: { max_depth: 2, notable_count: 7, target_response_tokens: 900 } },
  ],
  [
    'sizes: zero if nobody says otherwise',
    [{ discovery: { notable_count: 0 } }, {}],
    { settings: { notable_count: 0 } },
  ],
  [
    'folding: the highest threshold, and chains if anyone wants them folded',
    [
      { discovery: { fold_below_artifacts: 5, fold_passthrough_chains: true } },
      { discovery: { fold_below_artifacts: 2, fold_passthrough_chains: false } },
    ],
    { settings: { fold_below_artifacts: 5, fold_passthrough_chains: true } },
  ],
  [
    'folding: chains are kept if nobody wants them folded',
    [{ discovery: { fold_passthrough_chains: false } }],
    { settings: { fold_passthrough_chains: false } },
  ],
  ['settings nobody gives stay open', [{}, { discovery: {} }], { settings: {} }],
];

describe('mergeDomains', () => {
  test.each(ROWS)('merges fields: %s', (_, fields, expected) => {
    expect(mergeDomains('ops', layers(...fields))).toMatchObject(expected);
  });

  test.each(ROWS)('returns exactly the expected settings: %s', (_, fields, { settings }) => {
    if (settings !== undefined)
      expect(mergeDomains('ops', layers(...fields)).settings).toEqual(settings);
  });

  const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 });
  const size = fc.nat(3);
  const fields = fc.record(
    {
      body: fc.constantFrom('', 'x', 'y'),
      description: fc.constantFrom('', 'd', 'e'),
      unlisted: fc.boolean(),
      include: words,
      exclude: words,
      discovery: fc.record(
        {
          max_depth: size.map((depth) => depth + 1),
          notable_count: size,
          target_response_tokens: size,
          fold_below_artifacts: size,
          fold_passthrough_chains: fc.boolean(),
          featured: words,
          deprioritize: words,
          keywords: words,
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  );

  function asLayer({ settings, featured, deprioritize, keywords, ...rest }: MergedDomain): Domain {
    const { path, body, description, unlisted, include, exclude } = rest;
    const discovery = { ...settings, featured, deprioritize, keywords };
    const all: DomainFields = { description, unlisted, include, exclude, discovery };
    return { path, layer: 'merged', fields: all, body };
  }

  test('is associative', () => {
    fc.assert(
      fc.property(fc.array(fields, { minLength: 2, maxLength: 4 }), fc.nat(4), (each, at) => {
        const all = layers(...each);
        const low = all.slice(0, at);
        const high = all.slice(at);
        const inTwoSteps = mergeDomains('ops', [
          asLayer(mergeDomains('ops', low)),
          asLayer(mergeDomains('ops', high)),
        ]);
        expect(inTwoSteps).toEqual(mergeDomains('ops', all));
      }),
    );
  });
});
