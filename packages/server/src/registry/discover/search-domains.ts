import type { DomainSearchResponse } from '@catalog/contract/records/discovery';
import {
  domainCandidates,
  fuseDomains,
  MOST_BENEATH,
  MOST_DOMAINS,
  type DomainArms,
} from '@catalog/core/search/fuse-domains';
import { hybridSearch, type Meaning } from '@catalog/core/search/hybrid-search';
import { takeQuota } from '../access/take-quota.ts';
import type { CallContext, Registry } from '../registry.ts';
import { hybridReads } from '../search/hybrid-reads.ts';
import { resolveView, type View } from '../view/resolve-view.ts';

/** What a caller asks for. */
export interface DomainSearch {
  query: string;
  /** A path; the domain itself or one below it. */
  scope: string;
  top_k: number;
}

/** The described and listed domains of the caller's view, by what is said of them and what lies in them. */
export async function searchDomains(
  registry: Registry,
  context: CallContext,
  { query, scope, top_k }: DomainSearch,
): Promise<DomainSearchResponse> {
  await takeQuota(registry, context, 'search', 1);
  const { tenant } = context;
  const view = await resolveView(registry, context);
  const { degraded, ...arms } = await askArms(registry, context, view, { query, scope, top_k });
  const paths = domainCandidates(arms);
  const described = await view.reads.domains.describe(tenant, view.stack, paths);
  const byPath = new Map(described.map((domain) => [domain.path, domain]));
  const fused = fuseDomains(arms, (path) => byPath.has(path), scope);
  const unshown = arms.words.total_matched - arms.words.hits.length;
  const domains = fused.slice(0, top_k).flatMap(({ path, score }) => {
    const domain = byPath.get(path);
    return domain === undefined ? [] : [{ ...domain, keywords: [...domain.keywords], score }];
  });
  return {
    query,
    total_matched: fused.length + unshown,
    ...(degraded ? { degraded } : {}),
    domains,
  };
}

async function askArms(
  registry: Registry,
  { tenant, signal }: CallContext,
  view: View,
  { query, scope, top_k }: DomainSearch,
): Promise<DomainArms & { degraded: boolean }> {
  const reads = hybridReads(registry, view, signal);
  const hasWords = query.trim() !== '';
  const asking = hasWords ? reads.ask?.(query) : undefined;
  const ask = asking && ((): Promise<Meaning | undefined> => asking);
  const artifacts = { query, type: '', tags: [], scope, top_k: MOST_BENEATH };
  const most = Math.max(MOST_DOMAINS, top_k);
  const [words, near, beneath] = await Promise.all([
    view.reads.domains.search(tenant, view.stack, { query, scope, top_k: most }),
    findNear(),
    hasWords ? hybridSearch({ ...reads, ask }, tenant, view.stack, artifacts) : undefined,
  ]);
  const degraded = hasWords && (near === undefined || beneath?.degraded === true);
  return { words, near, beneath: beneath?.hits ?? [], degraded };

  async function findNear(): Promise<DomainArms['near']> {
    try {
      const meaning = await asking;
      if (meaning === undefined) return undefined;
      const asked = { model: meaning.model, vector: meaning.vector, scope, top_k: most };
      const hits = await reads.vectors.searchDomainVectors(tenant, view.stack, asked);
      return { hits, floor: meaning.floor };
    } catch (cause) {
      reads.onFailure(cause);
      return undefined;
    }
  }
}
