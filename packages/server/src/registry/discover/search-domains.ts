import type { DomainSearchResponse } from '@catalog/contract/records/discovery';
import {
  domainCandidates,
  fuseDomains,
  MAX_ARTIFACTS,
  MAX_DOMAINS,
  type DomainArms,
} from '@catalog/core/search/fuse-domains';
import { fuse } from '@catalog/core/search/fuse';
import { consumeQuota } from '../access/consume-quota.ts';
import type { CallContext, Registry } from '../registry.ts';
import { hybridReads } from '../search/hybrid-reads.ts';
import { resolveView } from '../view/resolve-view.ts';
import type { View } from '../view/view.ts';

export interface DomainSearch {
  query: string;
  scope: string;
  top_k: number;
}

/** Searches domains by their descriptions and artifacts. */
export async function searchDomains(
  registry: Registry,
  context: CallContext,
  { query, scope, top_k }: DomainSearch,
): Promise<DomainSearchResponse> {
  await consumeQuota(registry, context, 'search', 1);
  const { tenant } = context;
  const view = await resolveView(registry, context);
  registry.read_log.noteSearch(context, query);
  const { degraded, words_only, ...arms } = await runSearches(registry, context, view, {
    query,
    scope,
    top_k,
  });
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
    ...(words_only ? { words_only } : {}),
    domains,
  };
}

async function runSearches(
  registry: Registry,
  { tenant, signal }: CallContext,
  { stack, ...view }: View,
  { query, scope, top_k }: DomainSearch,
): Promise<DomainArms & { degraded: boolean; words_only: boolean }> {
  const maxDomains = Math.max(MAX_DOMAINS, top_k);
  const reads = hybridReads(registry, { stack, ...view }, signal);
  const searching = view.reads.domains.search(tenant, stack, { query, scope, top_k: maxDomains });
  if (query.trim() === '') {
    const words = await searching;
    return { words, near: undefined, beneath: [], degraded: false, words_only: false };
  }
  const [words, vectorMatches] = await Promise.all([searching, findByVector()]);
  return {
    words,
    ...(vectorMatches ?? { near: undefined, beneath: await findByArtifacts() }),
    degraded: vectorMatches === undefined && reads.ask !== undefined,
    words_only: reads.ask === undefined,
  };

  async function findByVector(): Promise<Pick<DomainArms, 'near' | 'beneath'> | undefined> {
    try {
      const meaning = await reads.ask?.(query);
      if (meaning === undefined) return undefined;
      const { model, vector, floor } = meaning;
      const artifacts = { model, vector, type: '', tags: [], scope, top_k: MAX_ARTIFACTS };
      const [hits, beneath] = await Promise.all([
        reads.vectors.searchDomainVectors(tenant, stack, {
          model,
          vector,
          scope,
          top_k: maxDomains,
        }),
        reads.vectors.searchVectors(tenant, stack, artifacts),
      ]);
      const found = beneath.filter(({ similarity }) => similarity >= floor);
      return {
        near: { hits, floor },
        beneath: found.map(({ id, similarity }) => ({ id, score: similarity })),
      };
    } catch (cause) {
      reads.onFailure(cause);
      return undefined;
    }
  }

  async function findByArtifacts(): Promise<DomainArms['beneath']> {
    const artifacts = { query, type: '', tags: [], scope, top_k: MAX_ARTIFACTS };
    const { hits, bound } = await reads.search.search(tenant, stack, artifacts);
    return hits.map(({ id, score }) => ({ id, score: fuse({ score, bound }) }));
  }
}
