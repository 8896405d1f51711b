import { analyzeDomain } from '@catalog/contract/endpoints/discovery';
import { startRegistry } from '@catalog/testkit/registry-server';
import { expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

function rule(name: string, tags: string): string {
  return `---\ntype: rule\nname: ${name}\nversion: 1.0.0\ndescription: About ${name}.\ntags: [${tags}]\n---\nDo it.\n`;
}

function many(domain: string, count: number, tagsOf: (index: number) => string) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `${domain}/x${index}/ARTIFACT.md`,
      rule(`x${index}`, tagsOf(index)),
    ]),
  );
}

verifies(
  ['CATALOG-04', 'CATALOG-11'],
  'analyze_domain reports the shape of a subtree and what to fold or split',
  async () => {
    const server = await startRegistry({
      layers: {
        base: {
          ...many('ops/mixed', 20, (index) => (index % 2 === 0 ? 'red' : 'Green')),
          ...many('ops/uniform/deep', 20, (index) => (index % 2 === 0 ? 'red' : 'RED')),
          'ops/lonely/one/ARTIFACT.md': rule('one', 'blue'),
          'ops/top/ARTIFACT.md': rule('top', 'blue'),
          'elsewhere/x/ARTIFACT.md': rule('x', 'blue'),
        },
      },
    });
    expect(await server.call(analyzeDomain, { query: { path: 'ops' } })).toEqual({
      path: 'ops',
      artifact_count: 1,
      recursive_count: 42,
      child_count: 3,
      passthrough_chain_length: 0,
      tag_cluster_entropy: expect.closeTo(entropy([30, 10, 2]), 10),
      fold_candidates: [{ path: 'ops/lonely', reason: 'It has only one artifact.' }],
      split_candidates: [
        {
          path: 'ops/mixed',
          reason: 'It has 20 artifacts, and its tags are mixed (entropy 1.00).',
        },
      ],
      children: [
        { path: 'ops/lonely', recursive_count: 1 },
        { path: 'ops/mixed', recursive_count: 20 },
        { path: 'ops/uniform', recursive_count: 20 },
      ],
    });
    expect(await server.call(analyzeDomain, { query: { path: 'ops/uniform' } })).toMatchObject({
      artifact_count: 0,
      passthrough_chain_length: 1,
      tag_cluster_entropy: 0,
    });
    expect(await server.call(analyzeDomain)).toMatchObject({
      path: '',
      recursive_count: 43,
      passthrough_chain_length: 0,
    });
  },
);

function entropy(counts: readonly number[]): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.reduce((sum, count) => sum - (count / total) * Math.log2(count / total), 0);
}

test('analyze_domain returns 404 for an invisible domain', async () => {
  const server = await startRegistry({
    layers: {
      base: { 'a/x/ARTIFACT.md': rule('x', 'red'), 'a/DOMAIN.md': '---\nunlisted: true\n---\n' },
    },
  });
  for (const path of ['a', 'b']) {
    const { status, body } = await server.request(analyzeDomain, { query: { path } });
    expect([status, body]).toMatchObject([404, { code: 'domain.not_found' }]);
  }
  expect(await server.call(analyzeDomain)).toMatchObject({ recursive_count: 0, children: [] });
});
