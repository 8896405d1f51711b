import type { DomainSearchResponse } from '@catalog/contract/records/discovery';
import { takeQuota } from '../access/take-quota.ts';
import type { CallContext, Registry } from '../registry.ts';
import { resolveView } from '../view/resolve-view.ts';

/** What a caller asks for. */
export interface DomainSearch {
  query: string;
  /** A path; the domain itself or one below it. */
  scope: string;
  top_k: number;
}

/** The described and listed domains of the caller's view, best first. */
export async function searchDomains(
  registry: Registry,
  context: CallContext,
  { query, scope, top_k }: DomainSearch,
): Promise<DomainSearchResponse> {
  await takeQuota(registry, context, 'search', 1);
  const { stack, reads } = await resolveView(registry, context);
  const { hits, total_matched } = await reads.domains.search(context.tenant, stack, {
    query,
    scope,
    top_k,
  });
  const domains = hits.map((hit) => ({ ...hit, keywords: [...hit.keywords] }));
  return { query, total_matched, domains };
}
