import { artifactOf } from '@catalog/testkit/authored-package';
import { describe, expect, test } from 'vitest';
import type { Artifact } from '../artifact/types.ts';
import { resolveDiscovery } from './discovery.ts';
import type { DomainReader } from './domain-reader.ts';
import { readDomainsInMemory, type DomainView } from './in-memory-domains.ts';
import { mergeDomains } from './merge-domains.ts';
import type { Domain, DomainFields } from './read-domain.ts';
import { renderDomainMap, type DomainMap, type DomainMapRequest } from './render-domain-map.ts';
import type { SubdomainEntry } from './draw-subdomains.ts';

function artifact(id: string, lines = ''): Artifact {
  const text = `---\ntype: rule\nversion: 1.0.0\ndescription: About ${id}.\n${lines}---\n`;
  return artifactOf(id, { 'ARTIFACT.md': text });
}

function view(
  ids: readonly string[],
  domains: Readonly<Record<string, DomainFields & { body?: string }>> = {},
  usage: Readonly<Record<string, number>> = {},
): DomainView {
  return {
    artifacts: ids.map((id) => artifact(id)),
    domains: Object.entries(domains).map(([path, { body = '', ...fields }]): Domain => ({
      path,
      layer: 'base',
      fields,
      body,
    })),
    usage: new Map(Object.entries(usage)),
  };
}

async function render(
  from: DomainView,
  request: Partial<DomainMapRequest> = {},
): Promise<DomainMap> {
  const { map } = await renderDomainMap(readDomainsInMemory(from), { path: '', ...request });
  return map;
}

function outline(subdomains: readonly SubdomainEntry[] | undefined): string {
  return (subdomains ?? [])
    .map(({ path, subdomains: below }) =>
      below === undefined ? path : `${path}(${outline(below)})`,
    )
    .join(' ');
}

function notableIds({ notable }: DomainMap): string[] {
  return notable.map(({ id }) => id);
}

describe('renderDomainMap content', () => {
  test('returns the map of the root', async () => {
    expect(await render(view(['top', 'ops/a', 'shared/b']))).toEqual({
      path: '',
      description: '',
      keywords: [],
      subdomains: [
        { path: 'ops', name: 'ops', description: 'Ops' },
        { path: 'shared', name: 'shared', description: 'Shared' },
      ],
      notable: [
        {
          id: 'top',
          type: 'rule',
          version: '1.0.0',
          summary: 'About top.',
          tags: [],
          source: 'signal',
        },
      ],
    });
  });

  test('returns an empty map for an empty catalog', async () => {
    expect(await render(view([]))).toMatchObject({ subdomains: [], notable: [] });
  });

  test('describes a domain by its body, else its description, else its name', async () => {
    const from = view(['a/x', 'b/x', 'incident-response_old/x'], {
      a: { body: '\nAt length.\n', description: 'A line.' },
      b: { description: 'A line.', discovery: { keywords: ['k'] } },
    });
    expect(await render(from, { path: 'a' })).toMatchObject({
      description: 'At length.',
      keywords: [],
    });
    expect(await render(from, { path: 'b' })).toMatchObject({
      description: 'A line.',
      keywords: ['k'],
    });
    expect(await render(from, { path: 'incident-response_old' })).toMatchObject({
      description: 'Incident Response Old',
    });
  });

  test('describes a subdomain by its description or its name, never its body', async () => {
    const from = view(['a/x', 'b/x'], {
      a: { body: 'At length.', description: 'A line.' },
      b: { body: 'Long.' },
    });
    const { subdomains } = await render(from);
    expect(subdomains.map(({ description }) => description)).toEqual(['A line.', 'B']);
  });

  test('omits artifacts that are deprecated or found by their id only', async () => {
    const from: DomainView = {
      artifacts: [
        artifact('ops/live'),
        artifact('ops/old', 'deprecated: true\n'),
        artifact('ops/quiet', 'search_visibility: direct-only\n'),
        artifact('gone/old', 'deprecated: true\n'),
      ],
      domains: [],
    };
    expect(notableIds(await render(from, { path: 'ops' }))).toEqual(['ops/live']);
    expect(outline((await render(from)).subdomains)).toBe('ops');
  });
});

describe('renderDomainMap and missing domains', () => {
  const from = view(['ops/a', 'secret/a', 'half/b/c'], {
    secret: { unlisted: true, description: 'Hidden.' },
    'half/b': { unlisted: true },
    described: { description: 'Empty so far.' },
    'ops/a': { include: ['nowhere/*'] },
  });

  test.each(['nowhere', 'ops/b', 'op', 'secret', 'secret/a', 'secret/deeper', 'half/b', 'half'])(
    'throws domain.not_found for %s',
    async (path) => {
      await expect(render(from, { path })).rejects.toMatchObject({
        code: 'domain.not_found',
        message: `Domain not found: ${path}.`,
      });
    },
  );

  test('returns a domain that has a DOMAIN.md but no artifacts', async () => {
    expect(await render(from, { path: 'described' })).toMatchObject({
      description: 'Empty so far.',
    });
    expect(await render(from, { path: 'ops/a' })).toMatchObject({ notable: [] });
  });

  test('omits domains that contain only unlisted domains', async () => {
    expect(outline((await render(from)).subdomains)).toBe('described ops(ops/a)');
  });

  test('returns a domain without notable artifacts', async () => {
    const map = await render(from, { path: 'ops', discovery: { notable_count: 0 } });
    expect(map.notable).toEqual([]);
  });

  test('omits unlisted domains, but shows their artifacts if another domain imports them', async () => {
    const importing = view(['secret/a', 'ops/x'], {
      secret: { unlisted: true },
      ops: { include: ['secret/*'] },
    });
    expect(outline((await render(importing)).subdomains)).toBe('ops');
    expect(notableIds(await render(importing, { path: 'ops' }))).toEqual(['ops/x', 'secret/a']);
  });
});

describe('renderDomainMap depth', () => {
  const deep = view(['a/b/c/d/e/x', 'a/y', 'a/b/y', 'a/b/c/y', 'a/b/c/d/y']);

  test.each([
    ['three levels by default', {}, 'a(a/b(a/b/c))', undefined],
    ['fewer if asked', { depth: 1 }, 'a', undefined],
    ['two if asked', { depth: 2 }, 'a(a/b)', undefined],
    ['zero is not asking', { depth: 0 }, 'a(a/b(a/b/c))', undefined],
    [
      'no more than the ceiling',
      { depth: 9 },
      'a(a/b(a/b/c))',
      'This domain is limited to a depth of 3.',
    ],
    [
      'the registry sets the ceiling',
      { depth: 9, discovery: { max_depth: 4 } },
      'a(a/b(a/b/c(a/b/c/d)))',
      'This domain is limited to a depth of 4.',
    ],
  ])('limits the depth: %s', async (_, request, expected, note) => {
    const map = await render(deep, request);
    expect(outline(map.subdomains)).toBe(expected);
    expect(map.note).toBe(note);
  });

  test('uses the depth of the requested domain, if the registry allows overrides', async () => {
    const from = view(['a/b/c/x', 'a/y', 'a/b/y'], { a: { discovery: { max_depth: 1 } } });
    expect(outline((await render(from, { path: 'a' })).subdomains)).toBe('a/b');
    const discovery = { allow_per_domain_overrides: false };
    expect(outline((await render(from, { path: 'a', discovery })).subdomains)).toBe('a/b(a/b/c)');
    expect(outline((await render(from)).subdomains)).toBe('a(a/b(a/b/c))');
  });
});

test('limits the settings of a domain to their maximum values', () => {
  const settings = {
    max_depth: 99,
    notable_count: 999,
    target_response_tokens: 1e9,
    fold_below_artifacts: 1e9,
  };
  const domain = mergeDomains('d', [
    { path: 'd', layer: 'base', fields: { discovery: settings }, body: '' },
  ]);
  expect(resolveDiscovery({}, domain)).toMatchObject({
    max_depth: 10,
    notable_count: 100,
    target_response_tokens: 32_000,
    fold_below_artifacts: 100,
  });
  expect(resolveDiscovery({ max_depth: 20 }, domain)).toMatchObject({ max_depth: 20 });
  expect(resolveDiscovery({ allow_per_domain_overrides: false }, domain)).toMatchObject({
    max_depth: 3,
  });
});

describe('renderDomainMap chain folding', () => {
  test('replaces a pass-through domain with the end of its chain', async () => {
    const from = view(['a/b/c/x', 'a/b/c/d/e/y', 'z/x']);
    expect(outline((await render(from)).subdomains)).toBe('a/b/c(a/b/c/d/e) z');
    const unfolded = await render(from, {
      discovery: { fold_passthrough_chains: false, max_depth: 5 },
    });
    expect(outline(unfolded.subdomains)).toBe('a(a/b(a/b/c(a/b/c/d(a/b/c/d/e)))) z');
  });

  test.each([
    ['a description', { description: 'Kept.' }],
    ['a text', { body: 'Kept.' }],
    ['keywords', { discovery: { keywords: ['k'] } }],
    ['an import that finds something', { include: ['z/*'] }],
  ])('keeps a pass-through domain if it has %s', async (_, fields) => {
    const from = view(['a/b/x', 'z/x'], { a: fields });
    expect(outline((await render(from)).subdomains)).toBe('a(a/b) z');
  });

  test.each([
    ['an import that finds nothing', { include: ['nowhere/*'] }],
    ['settings alone', { discovery: { max_depth: 2 } }],
  ])('folds a pass-through domain despite %s', async (_, fields) => {
    expect(outline((await render(view(['a/b/x', 'z/x'], { a: fields }))).subdomains)).toBe('a/b z');
  });

  test('ignores an unlisted sibling', async () => {
    const from = view(['a/b/x', 'a/hidden/x'], { 'a/hidden': { unlisted: true } });
    expect(outline((await render(from)).subdomains)).toBe('a/b');
  });

  test('terminates even if the counts of a reader are ahead of its lists', async () => {
    const reader = readDomainsInMemory(view(['a/x']));
    const lagging: DomainReader = {
      ...reader,
      listChildren: async (paths, limits) => {
        const nodes = await reader.listChildren(paths, limits);
        return nodes.map((node) => ({ ...node, has_artifacts: false, has_children: true }));
      },
    };
    const { map } = await renderDomainMap(lagging, { path: '' });
    expect(outline(map.subdomains)).toBe('a');
  });
});

describe('renderDomainMap folding of small domains', () => {
  const from = view(['top', 'big/a', 'big/b', 'big/c', 'small/a', 'small/deep/b'], {
    'small/deep': { include: ['big/a'] },
  });
  const discovery = { fold_below_artifacts: 3 };

  test('lists the members of a small domain instead of the domain', async () => {
    const map = await render(view(['top', 'big/a', 'big/b', 'big/c', 'small/a', 'small/deep/b']), {
      discovery,
    });
    expect(outline(map.subdomains)).toBe('big');
    expect(map.notable.map(({ id, folded_from }) => [id, folded_from])).toEqual([
      ['small/a', 'small'],
      ['small/deep/b', 'small/deep'],
      ['top', undefined],
    ]);
    expect(map.note).toBeUndefined();
  });

  test('counts an import as a member', async () => {
    expect(outline((await render(from, { discovery })).subdomains)).toBe('big small(small/deep)');
    const more = await render(from, { discovery: { fold_below_artifacts: 4 } });
    expect(more.subdomains).toEqual([]);
    expect(more.notable.map(({ id, folded_from }) => [id, folded_from])).toContainEqual([
      'big/a',
      'big',
    ]);
  });

  test('does not fold below the requested level', async () => {
    const map = await render(view(['a/x', 'a/y', 'a/z', 'a/b/x']), { discovery });
    expect(outline(map.subdomains)).toBe('a(a/b)');
  });

  test('reports folded_from relative to the requested domain', async () => {
    const map = await render(view(['ops/x', 'ops/guard/deep/y']), { path: 'ops', discovery });
    expect(map.notable.find(({ id }) => id === 'ops/guard/deep/y')?.folded_from).toBe('guard/deep');
  });
});

describe('renderDomainMap notable artifacts', () => {
  const ids = ['d/a', 'd/b', 'd/c', 'd/e', 'other/x', 'other/y'];

  test.each<[string, DomainFields, Record<string, number>, string[]]>([
    ['by id', {}, {}, ['d/a', 'd/b', 'd/c', 'd/e']],
    ['the most loaded first', {}, { 'd/c': 5, 'd/b': 7 }, ['d/b', 'd/c', 'd/a', 'd/e']],
    [
      'featured before all, in their order',
      { discovery: { featured: ['d/e', 'd/b'] } },
      { 'd/a': 9 },
      ['d/e', 'd/b', 'd/a', 'd/c'],
    ],
    [
      'featured must be a member',
      { discovery: { featured: ['other/x', 'nowhere', 'd/c'] } },
      {},
      ['d/c', 'd/a', 'd/b', 'd/e'],
    ],
    [
      'deprioritized last',
      { discovery: { deprioritize: ['d/{a,b}'] } },
      { 'd/a': 9 },
      ['d/c', 'd/e', 'd/a', 'd/b'],
    ],
    [
      'featured and deprioritized is featured',
      { discovery: { featured: ['d/b'], deprioritize: ['d/*'] } },
      {},
      ['d/b', 'd/a', 'd/c', 'd/e'],
    ],
    [
      'imports join',
      { include: ['other/*'] },
      {},
      ['d/a', 'd/b', 'd/c', 'd/e', 'other/x', 'other/y'],
    ],
    ['an import by id', { include: ['other/y'] }, {}, ['d/a', 'd/b', 'd/c', 'd/e', 'other/y']],
    [
      'exclude comes after include',
      { include: ['other/**'], exclude: ['other/x', 'd/b'] },
      {},
      ['d/a', 'd/c', 'd/e', 'other/y'],
    ],
    [
      'exclude wins over featured',
      { exclude: ['d/b'], discovery: { featured: ['d/b'] } },
      {},
      ['d/a', 'd/c', 'd/e'],
    ],
    ['as many as wanted', { discovery: { notable_count: 2 } }, {}, ['d/a', 'd/b']],
    ['none if none are wanted', { discovery: { notable_count: 0 } }, {}, []],
    [
      'featured only as many as wanted',
      { discovery: { notable_count: 1, featured: ['d/e', 'd/c'] } },
      {},
      ['d/e'],
    ],
  ])('selects notable artifacts: %s', async (_, fields, usage, expected) => {
    const map = await render(view(ids, { d: fields }, usage), { path: 'd' });
    expect(notableIds(map)).toEqual(expected);
    expect(map.note).toBeUndefined();
  });

  test('each report the domain that they come from', async () => {
    const map = await render(
      view(ids, { d: { discovery: { featured: ['d/c'], notable_count: 2 } } }),
      { path: 'd' },
    );
    expect(map.notable.map(({ source }) => source)).toEqual(['featured', 'signal']);
  });

  test('are found after a page of deprioritized ones, up to a limit', async () => {
    const many = Array.from({ length: 1500 }, (_, index) => `d/x${String(index).padStart(4, '0')}`);
    const near = view([...many.slice(0, 150), 'd/y'], {
      d: { discovery: { deprioritize: ['d/x*'] } },
    });
    expect(notableIds(await render(near, { path: 'd' }))[0]).toBe('d/y');
    let read = 0;
    const reader = readDomainsInMemory(
      view(many, { d: { discovery: { deprioritize: ['d/**'] } } }),
    );
    const counting: DomainReader = {
      ...reader,
      listMembers: async (query, after, limit) => {
        const page = await reader.listMembers(query, after, limit);
        read += page.length;
        return page;
      },
    };
    const { map } = await renderDomainMap(counting, { path: 'd' });
    expect(notableIds(map)).toEqual(many.slice(0, 10));
    expect(read).toBe(1000);
  });
});

describe('renderDomainMap budget', () => {
  /** Each entry takes 12 bytes of text and 16 others: `a/00` `00` `00` with a unique pair of digits. */
  const wide = view(['w/x', ...Array.from({ length: 30 }, (_, index) => `w/${index + 10}/k/x`)]);

  test('reduces the depth first, then the notable list, and reports both', async () => {
    const flat = { fold_passthrough_chains: false };
    const all = await render(wide, { discovery: flat });
    expect(outline(all.subdomains)).toContain('w/39(w/39/k)');
    expect(all.note).toBeUndefined();

    const two = await render(wide, { discovery: { ...flat, target_response_tokens: 250 } });
    expect(outline(two.subdomains)).toMatch(/^w\(w\/10 .* w\/39\)$/);
    expect(two.note).toBe('Shortened to fit the response: the depth from 3 to 2.');

    const one = await render(wide, {
      path: 'w',
      discovery: { ...flat, target_response_tokens: 190 },
    });
    expect(outline(one.subdomains)).toMatch(/^w\/10 .* w\/39$/);
    expect(notableIds(one)).toEqual([]);
    expect(one.note).toBe(
      'Shortened to fit the response: the notable list from 1 to 0 entries and the depth from 3 to 1.',
    );
  });

  test('does not report a cut at the last level', async () => {
    const map = await render(view(['a/x', 'b/x']), { discovery: { target_response_tokens: 1 } });
    expect(map.subdomains).toHaveLength(2);
    expect(map.note).toBeUndefined();
  });

  test('removes notable artifacts from the end', async () => {
    const from = view(['a', 'b', 'c', 'd']);
    // Each entry takes 1 byte for the id, 4 for the type, 8 for the summary, and 32 others.
    const map = await render(from, { discovery: { target_response_tokens: 23 } });
    expect(notableIds(map)).toEqual(['a', 'b']);
    expect(map.note).toBe('Shortened to fit the response: the notable list from 4 to 2 entries.');
  });

  test('reports both the depth limit and the reduction', async () => {
    const map = await render(view(['a', 'b']), {
      depth: 9,
      discovery: { target_response_tokens: 12 },
    });
    expect(map.note).toBe(
      'This domain is limited to a depth of 3. Shortened to fit the response: the notable list from 2 to 1 entries.',
    );
  });

  test("uses the registry's budget for a domain with a budget of 0", async () => {
    const from = view(['d/a', 'd/b'], { d: { discovery: { target_response_tokens: 0 } } });
    expect(notableIds(await render(from, { path: 'd' }))).toEqual(['d/a', 'd/b']);
  });

  test('stops reading a level that exceeds the budget', async () => {
    const many = view(Array.from({ length: 5000 }, (_, index) => `a/b${index}/x`));
    const reader = readDomainsInMemory(many);
    let read = 0;
    const counting: DomainReader = {
      ...reader,
      listChildren: async (paths, limits) => {
        const nodes = await reader.listChildren(paths, limits);
        read += nodes.length;
        return nodes;
      },
    };
    const { map } = await renderDomainMap(counting, { path: '' });
    expect(outline(map.subdomains)).toBe('a');
    expect(map.note).toContain('the depth from 3 to 1');
    expect(read).toBeLessThan(1010);
  });
});

test('returns the facts for the audit log', async () => {
  const reader = readDomainsInMemory(view(['a/b/c/x', 'a/b/c/y', 'small/x', 'z/x', 'z/y']));
  const discovery = { fold_below_artifacts: 2 };
  const { facts } = await renderDomainMap(reader, { path: '', depth: 7, discovery });
  expect(facts).toEqual({
    children: 3,
    depth: 1,
    depth_capped: true,
    folded_subdomains: 1,
    passthrough_collapsed: 2,
  });
});
