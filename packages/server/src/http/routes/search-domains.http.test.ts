import { searchDomains } from '@catalog/contract/endpoints/discovery';
import { startRegistry } from '@catalog/testkit/registry-server';
import { expect } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

function described(description: string, more = '', body = ''): string {
  return `---\ndescription: ${description}\n${more}---\n${body}`;
}

const TREE = {
  'ops/DOMAIN.md': described('Running services.', 'discovery: {keywords: [release, on-call]}\n'),
  'ops/deploy/DOMAIN.md': described('Releases, every release and all about releasing.'),
  'finance/DOMAIN.md': described('Money.', '', 'Also the books of a release.\n'),
  'hidden/DOMAIN.md': described('Secret releases.', 'unlisted: true\n'),
  'plain/DOMAIN.md': '---\ndiscovery: {max_depth: 2}\n---\n',
};

verifies(
  ['DISC-01', 'DISC-02', 'DISC-11', 'DISC-14'],
  'domains are found by their descriptions, best match first',
  async () => {
    const server = await startRegistry({ layers: { base: TREE } });
    const query = { query: 'release', session_id: '3f0d9a5e-6d0c-4b1e-9c77-0a6c5c1d2e3f' };
    const answer = await server.call(searchDomains, { query });
    expect(answer).toEqual({
      query: 'release',
      total_matched: 3,
      domains: [
        {
          path: 'ops/deploy',
          name: 'deploy',
          description: 'Releases, every release and all about releasing.',
          keywords: [],
          score: expect.any(Number),
        },
        {
          path: 'ops',
          name: 'ops',
          description: 'Running services.',
          keywords: ['release', 'on-call'],
          score: expect.any(Number),
        },
        expect.objectContaining({ path: 'finance', keywords: [] }),
      ],
    });
    const scores = answer.domains.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    const plain = await server.call(searchDomains, { query: { query: 'plain' } });
    expect(plain.domains.map(({ path }) => path)).not.toContain('plain');
  },
);

verifies('DISC-11', 'without a query, every described domain is listed by path', async () => {
  const server = await startRegistry({ layers: { base: TREE } });
  const list = async (query: Record<string, string | number>): Promise<unknown> => {
    const { domains, total_matched, ...rest } = await server.call(searchDomains, { query });
    expect(rest).toEqual({ query: '' });
    expect(domains.every(({ score }) => score === 0)).toBe(true);
    return [domains.map(({ path }) => path), total_matched];
  };
  expect(await list({})).toEqual([['finance', 'ops', 'ops/deploy'], 3]);
  expect(await list({ query: '', top_k: 2 })).toEqual([['finance', 'ops'], 3]);
  expect(await list({ scope: 'ops' })).toEqual([['ops', 'ops/deploy'], 2]);
  expect(await list({ scope: 'hidden' })).toEqual([[], 0]);
});

verifies('DISC-12', 'a scope limits the search to one domain and its descendants', async () => {
  const server = await startRegistry({ layers: { base: TREE } });
  const paths = async (scope: string) => {
    const { domains } = await server.call(searchDomains, { query: { query: 'release', scope } });
    return domains.map(({ path }) => path);
  };
  expect(await paths('ops')).toEqual(['ops/deploy', 'ops']);
  expect(await paths('ops/deploy/')).toEqual(['ops/deploy']);
  expect(await paths('op')).toEqual([]);
  expect(await paths('hidden')).toEqual([]);
});

verifies('DISC-13', 'top_k defaults to 10 domains', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [`d${index}/DOMAIN.md`, described('A release.')]),
  );
  const server = await startRegistry({ layers: { base: many } });
  const count = async (top_k?: number) => {
    const answer = await server.call(searchDomains, { query: { query: 'release', top_k } });
    expect(answer.total_matched).toBe(12);
    return answer.domains.length;
  };
  expect(await count()).toBe(10);
  expect(await count(3)).toBe(3);
  expect(await count(50)).toBe(12);
  const { status, body } = await server.request(searchDomains, {
    query: { query: 'release', top_k: 51 },
  });
  expect([status, body]).toMatchObject([400, { code: 'registry.invalid_argument' }]);
});
