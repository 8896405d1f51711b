import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import {
  includes,
  partsWithin,
  type GrantedPart,
  type Narrowing,
} from '@catalog/core/identity/narrowing';
import type { DomainSearchResult, DomainHit, DomainReads } from '@catalog/core/ports/domains';
import type { IndexSearchResult, SearchIndexReads } from '@catalog/core/ports/search-index';
import type { StoreReads } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import { mergeSearchResults } from '@catalog/core/search/search-parts';
import type { LayerStack, VersionReads, ViewCounts, ViewPage } from '@catalog/core/ports/versions';
import { narrowDomains } from './narrow-domains.ts';

export interface ViewReads {
  versions: Pick<
    VersionReads,
    | 'listHeadsOf'
    | 'listView'
    | 'describeView'
    | 'countView'
    | 'listVersions'
    | 'listCommits'
    | 'listRecent'
    | 'listHoldersOf'
    | 'listEdgesTo'
    | 'listRejections'
  >;
  search: SearchIndexReads;
  domains: Pick<DomainReads, 'openReader' | 'search' | 'describe'>;
}

/** Maximum number of artifacts with an object that are compared with a restricted token. */
const MAX_HOLDERS = 1000;
/** Maximum number of search results, and of domains above a covered part. */
const MAX_HITS = 50;
const PAGE = 1000;

/**
 * Restricts reads to the parts that a token covers. A list costs as much as these parts contain, and a search costs one
 * search per part.
 */
export function narrowReads(store: StoreReads, narrowing: Narrowing): ViewReads {
  const reads: ViewReads = {
    versions: narrowVersions(store.versions, narrowing),
    search: {
      search: (...args) => searchParts(store.search, narrowing, ...args),
      scoreDocuments: async (tenant, terms, documents) =>
        store.search.scoreDocuments(
          tenant,
          terms,
          documents.filter(({ id }) => narrowing.discovers(id)),
        ),
    },
    domains: {
      openReader: (tenant, layers) =>
        narrowDomains(store.domains.openReader(tenant, layers), narrowing, async (ids) => {
          const heads = await store.versions.listHeadsOf(tenant, layers, ids);
          return new Set(heads.map(({ id }) => id));
        }),
      search: (tenant, layers, query) =>
        searchDomains(store.domains, reads.domains, narrowing, tenant, layers, query),
      describe: async (tenant, layers, paths) => {
        const map = reads.domains.openReader(tenant, layers);
        const shown: string[] = [];
        for (const path of paths) if ((await map.getNode(path)) !== undefined) shown.push(path);
        return store.domains.describe(tenant, layers, shown);
      },
    },
  };
  return reads;
}

function narrowVersions(versions: VersionReads, narrowing: Narrowing): ViewReads['versions'] {
  const { discovers, loads } = narrowing;
  const listView: VersionReads['listView'] = (tenant, layers, page) =>
    pageOfParts(narrowing.parts, page, (part) => versions.listView(tenant, layers, part));
  return {
    listView,
    describeView: (tenant, layers, page) =>
      pageOfParts(narrowing.parts, page, (part) => versions.describeView(tenant, layers, part)),
    listHeadsOf: async (tenant, layers, ids) =>
      versions.listHeadsOf(tenant, layers, ids.filter(discovers)),
    countView: (tenant, layers) => countParts(versions, listView, tenant, layers),
    listVersions: async (tenant, layer, id) =>
      discovers(id) ? versions.listVersions(tenant, layer, id) : [],
    listCommits: async (tenant, layer, id) =>
      discovers(id) ? versions.listCommits(tenant, layer, id) : new Map(),
    listRecent: async (tenant, layers, { before, limit }) => {
      // A page ends with a covered head, so that the cursor reveals no other one.
      for (let place = before; ;) {
        const { heads, next } = await versions.listRecent(tenant, layers, { before: place, limit });
        const covered = heads.filter(({ id }) => discovers(id));
        if (next === undefined) return { heads: covered, next };
        const last = covered.at(-1);
        if (last !== undefined) {
          return { heads: covered, next: { ingested_at: last.ingested_at, id: last.id } };
        }
        place = next;
      }
    },
    listHoldersOf: async (tenant, layers, content_hash, limit) => {
      const holders = await versions.listHoldersOf(tenant, layers, content_hash, MAX_HOLDERS);
      return holders.filter(({ id, version }) => loads(id, version)).slice(0, limit);
    },
    listEdgesTo: async (tenant, layers, id, { after, limit }) => {
      const covered: Awaited<ReturnType<VersionReads['listEdgesTo']>> = [];
      for (let place = after; ;) {
        const edges = await versions.listEdgesTo(tenant, layers, id, { after: place, limit });
        covered.push(...edges.filter(({ from }) => discovers(from)));
        if (edges.length < limit || covered.length >= limit) return covered;
        place = edges.at(-1);
      }
    },
    listRejections: async (tenant, layers) =>
      (await versions.listRejections(tenant, layers)).filter(({ artifact_id }) =>
        discovers(artifact_id),
      ),
  };
}

async function pageOfParts<Head extends { id: string }>(
  parts: readonly GrantedPart[],
  { prefix, after, limit }: ViewPage,
  read: (page: ViewPage) => Promise<Head[]>,
): Promise<Head[]> {
  const found: Head[] = [];
  for (const part of partsWithin(parts, prefix).sort(byFirstId)) {
    if (found.length >= limit) break;
    found.push(...(await readPart(part, after, limit - found.length, read)));
  }
  return found;
}

/** Orders parts: `a`, then `a-b`, then the ids below `a`. */
function byFirstId(a: GrantedPart, b: GrantedPart): number {
  return compareBytes(firstId(a), firstId(b));
}

function firstId({ path, subtree }: GrantedPart): string {
  return subtree && path !== '' ? `${path}/` : path;
}

async function readPart<Head extends { id: string }>(
  { path, subtree }: GrantedPart,
  after: string,
  limit: number,
  read: (page: ViewPage) => Promise<Head[]>,
): Promise<Head[]> {
  if (subtree) {
    const from = compareBytes(after, path) > 0 ? after : path;
    return read({ prefix: path, after: from, limit });
  }
  if (compareBytes(path, after) <= 0) return [];
  const [first] = await read({ prefix: path, after: '', limit: 1 });
  return first?.id === path ? [first] : [];
}

async function countParts(
  versions: VersionReads,
  listView: VersionReads['listView'],
  tenant: Tenant,
  layers: LayerStack,
): Promise<ViewCounts> {
  const by_type: Record<string, number> = {};
  const by_sensitivity = { low: 0, medium: 0, high: 0 };
  let artifact_count = 0;
  let after = '';
  for (;;) {
    const page = await listView(tenant, layers, { prefix: '', after, limit: PAGE });
    const winners = new Set(page.map(({ layer, id }) => `${layer} ${id}`));
    const ids = page.map(({ id }) => id);
    for (const head of await versions.listHeadsOf(tenant, layers, ids)) {
      if (!winners.has(`${head.layer} ${head.id}`)) continue;
      artifact_count += 1;
      by_type[head.type] = (by_type[head.type] ?? 0) + 1;
      by_sensitivity[head.sensitivity ?? 'low'] += 1;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE)
      return { artifact_count, by_type, by_sensitivity };
    after = last.id;
  }
}

async function searchParts(
  search: SearchIndexReads,
  { parts }: Narrowing,
  ...[tenant, layers, query]: Parameters<SearchIndexReads['search']>
): Promise<IndexSearchResult> {
  const answers = await Promise.all(
    [...Map.groupBy(partsWithin(parts, query.scope), ({ path }) => path)].map(
      async ([path, at]) => {
        const isSubtree = at.some(({ subtree }) => subtree);
        const top_k = isSubtree ? query.top_k : Math.max(query.top_k, MAX_HITS);
        const answer = await search.search(tenant, layers, { ...query, scope: path, top_k });
        const hits = answer.hits.filter(({ id }) => at.some((part) => includes(part, id)));
        const isWhole = isSubtree && hits.length === answer.hits.length;
        return { ...answer, hits, total_matched: isWhole ? answer.total_matched : hits.length };
      },
    ),
  );
  return mergeSearchResults(answers, layers, query);
}

/** Searches domains, including those above the covered parts. */
async function searchDomains(
  domains: Pick<DomainReads, 'search'>,
  narrowed: Pick<DomainReads, 'openReader'>,
  { parts, holds }: Narrowing,
  ...[tenant, layers, query]: Parameters<DomainReads['search']>
): Promise<DomainSearchResult> {
  const subtrees = partsWithin(parts, query.scope).filter(({ subtree }) => subtree);
  const inside = await Promise.all(
    subtrees.map(({ path }) => domains.search(tenant, layers, { ...query, scope: path })),
  );
  const around = await domains.search(tenant, layers, { ...query, top_k: MAX_HITS });
  const map = narrowed.openReader(tenant, layers);
  const above: DomainHit[] = [];
  for (const hit of around.hits) {
    if (!holds(hit.path) && (await map.getNode(hit.path)) !== undefined) above.push(hit);
  }
  const hits = [...inside.flatMap((answer) => answer.hits), ...above].sort(
    (a: DomainHit, b: DomainHit) => b.score - a.score || compareBytes(a.path, b.path),
  );
  return {
    ...around,
    hits: hits.slice(0, query.top_k),
    total_matched: inside.reduce((sum, answer) => sum + answer.total_matched, above.length),
  };
}
