import { readDomainsInMemory } from '@catalog/core/domain/in-memory-domains';
import { splitList } from '@catalog/core/text/split-list';
import { renderDomainMap } from '@catalog/core/domain/render-domain-map';
import type { LoadGrant } from '@catalog/core/identity/load-grants';
import { narrow } from '@catalog/core/identity/narrowing';
import { openMemoryRegistry, type MemoryRegistry } from '@catalog/testkit/memory-registry';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { analyzeDomain } from '../discover/analyze-domain.ts';
import { listCatalog } from '../discover/list-catalog.ts';
import { listRecent } from '../discover/list-recent.ts';
import { loadDomain } from '../discover/load-domain.ts';
import { previewScope } from '../discover/preview-scope.ts';
import { searchArtifacts } from '../discover/search-artifacts.ts';
import { streamCatalog } from '../discover/stream-catalog.ts';
import { loadArtifact } from '../load/load-artifact.ts';
import type { CallContext } from '../registry.ts';

const IDS = ['a', 'a-b', 'a/x', 'a/y/one', 'a/y/two', 'b/x', 'b/y/z/one', 'c', 'd/e/f/g'];
const DOMAINS = ['', 'a', 'a/y', 'b', 'b/y', 'b/y/z', 'd', 'd/e', 'd/e/f'];

let open: MemoryRegistry;

beforeAll(async () => {
  open = await openMemoryRegistry();
  await open.addLayer('base');
  const packages = IDS.map((id) => [id, { 'ARTIFACT.md': manifest(id) }] as const);
  await open.ingest('base', { packages: Object.fromEntries(packages) });
});
afterAll(() => open.close());

function manifest(id: string): string {
  const tags = `[${id.split('/').join(', ')}]`;
  return `---\ntype: rule\nversion: 1.2.3\ndescription: How to greet with ${id}.\ntags: ${tags}\n---\nDo.\n`;
}

const grants = fc.array(
  fc.record<LoadGrant>({
    kind: fc.constantFrom('read', 'load'),
    path: fc.constantFrom('', ...IDS, ...DOMAINS, 'nothing'),
    subtree: fc.boolean(),
    pin: fc.constantFrom('', '1.x', '1.2.3', '2.x'),
  }),
  { maxLength: 4 },
);

function narrowed(to: readonly LoadGrant[]): CallContext {
  return { ...open.context, caller: { kind: 'subject', subject: 'ci', groups: [], grants: to } };
}

async function catalogOf(context: CallContext, scope: string): Promise<string[]> {
  let text = '';
  for await (const chunk of (await streamCatalog(open.registry, context, scope)).chunks()) {
    text += chunk;
  }
  const { ids } = JSON.parse(text);
  return ids;
}

interface Page {
  artifacts: readonly { id: string }[];
  next_cursor?: string | undefined;
}

/** Reads all pages. A cursor must not contain an uncovered id. */
async function readPages(read: (cursor: string) => Promise<Page>): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const page: Page = await read(cursor);
    ids.push(...page.artifacts.map(({ id }) => id));
    cursor = page.next_cursor;
    if (cursor !== undefined) expect(cursor.endsWith(ids.at(-1) ?? 'nothing')).toBe(true);
  }
  return ids;
}

const isIn = (scope: string) => (id: string) =>
  scope === '' || id === scope || id.startsWith(`${scope}/`);

beforeAll(async () => {
  const { registry } = open;
  await registry.store.transaction(async (writes) => {
    const layer = await writes.layers.get(1, 'base');
    if (layer !== undefined) await writes.layers.replace(1, { ...layer, organization: true });
  });
});

test('lists, searches and counts contain exactly the covered artifacts in order', async () => {
  await fc.assert(
    fc.asyncProperty(grants, fc.constantFrom(...DOMAINS, 'c'), async (to, scope) => {
      const context = narrowed(to);
      const covered = IDS.filter(narrow(to).discovers);
      const expected = covered.filter(isIn(scope));
      expect(await catalogOf(context, scope)).toEqual(expected);
      const parameters = { scope, type: '', tags: [], layer: '', harness: '', limit: 2 };
      const paged = await readPages((cursor) =>
        listCatalog(open.registry, context, { ...parameters, cursor }),
      );
      expect(paged).toEqual(expected);
      const recent = await readPages((cursor) =>
        listRecent(open.registry, context, { ...parameters, cursor }),
      );
      expect(recent.toSorted()).toEqual(expected.toSorted());
      for (const query of ['', 'greet']) {
        const filters = { type: [], tags: [], scope: splitList(scope), layer: [], harness: '' };
        const search = { ...filters, query, top_k: 50, as_admin: false };
        const found = await searchArtifacts(open.registry, context, search);
        expect(found.results.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
        expect(found.total_matched).toBe(expected.length);
      }
      const counts = await previewScope(open.registry, context);
      expect(counts.artifact_count).toBe(covered.length);
      expect(counts.by_sensitivity).toEqual({ low: covered.length, medium: 0, high: 0 });
    }),
    { numRuns: 150 },
  );
});

test('an artifact is loaded only if a load grant covers its id and version', async () => {
  await fc.assert(
    fc.asyncProperty(grants, fc.constantFrom(...IDS), async (to, id) => {
      const outcome = loadArtifact(open.registry, narrowed(to), { id, version: '' });
      if (narrow(to).loads(id, '1.2.3')) expect((await outcome).version).toBe('1.2.3');
      else await expect(outcome).rejects.toMatchObject({ code: 'registry.not_found' });
    }),
    { numRuns: 150 },
  );
});

test('domain maps equal those of a catalog with only the covered artifacts', async () => {
  await fc.assert(
    fc.asyncProperty(grants, fc.constantFrom(...DOMAINS), async (to, path) => {
      const covered = IDS.filter(narrow(to).discovers);
      const alone = readDomainsInMemory({
        artifacts: covered.map((id) => ({
          id,
          type: 'rule',
          version: '1.2.3',
          description: `How to greet with ${id}.`,
          fields: { tags: id.split('/') },
        })),
        domains: [],
      });
      const { discovery } = open.registry.settings;
      const context = narrowed(to);
      const drawn = await settle(loadDomain(open.registry, context, { path }));
      const expected = await settle(
        renderDomainMap(alone, { path, depth: 0, discovery }).then(({ map }) => map),
      );
      expect(drawn).toEqual(expected);
      if (drawn !== 'domain.not_found') {
        expect(await readChildren(context, path)).toEqual({
          domains: (await alone.listChildren([path], ALL)).map((child) => child.path),
          ids: (await alone.listMembers({ path, folded: [] }, undefined, 99)).map(({ id }) => id),
        });
      }
      const [counts] = await alone.countArtifacts([path]);
      const analysis = await settle(analyzeDomain(open.registry, context, path));
      if (counts === undefined) expect(analysis).toBe('domain.not_found');
      else expect(analysis).toMatchObject(counts);
    }),
    { numRuns: 150 },
  );
});

const ALL = { each: Infinity, all: Infinity };

async function readChildren(
  context: CallContext,
  path: string,
): Promise<{ domains: string[]; ids: string[] }> {
  const domains: string[] = [];
  const ids: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const page: Awaited<ReturnType<typeof loadDomain>> = await loadDomain(open.registry, context, {
      path,
      depth: 1,
      limit: 2,
      cursor,
    });
    const below = path === '' ? 0 : path.length + 1;
    domains.push(
      ...page.subdomains.map((domain) => {
        const end = domain.path.indexOf('/', below);
        return end === -1 ? domain.path : domain.path.slice(0, end);
      }),
    );
    ids.push(...(page.artifacts ?? []).map(({ id }) => id));
    expect(page.subdomains.length + (page.artifacts ?? []).length).toBeLessThanOrEqual(2);
    cursor = page.next_cursor;
  }
  return { domains, ids };
}

async function settle<Value>(work: Promise<Value>): Promise<unknown> {
  return work.catch((error: unknown) =>
    error instanceof Error && 'code' in error ? error.code : error,
  );
}
