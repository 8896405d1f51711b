import type { SearchResponse, SearchResult } from '@catalog/contract/records/discovery';
import type { SearchQuery } from '@catalog/core/ports/search-index';
import type { HeadRecord } from '@catalog/core/ports/versions';
import { explainHit } from '@catalog/core/search/explain-hit';
import { hybridSearch } from '@catalog/core/search/hybrid-search';
import { recordOverride } from '../access/record-override.ts';
import { takeQuota } from '../access/take-quota.ts';
import type { CallContext, Registry } from '../registry.ts';
import { hybridReads } from '../search/hybrid-reads.ts';
import { resolveView } from '../view/resolve-view.ts';

/** What a caller asks for. */
export interface ArtifactSearch extends SearchQuery {
  /** Every layer, whatever its visibility; who may ask so was decided before. */
  as_admin: boolean;
  /** Tell why each result stands where it stands. */
  explain?: boolean;
}

/** Searches the caller's view: words and meaning find and rank, one read fetches what is shown. */
export async function searchArtifacts(
  registry: Registry,
  context: CallContext,
  { as_admin, explain = false, ...query }: ArtifactSearch,
): Promise<SearchResponse> {
  const { tenant } = context;
  await takeQuota(registry, context, 'search', 1);
  if (as_admin) await recordOverride(registry, context, { operation: 'search_artifacts' });
  const view = await resolveView(registry, context, { as_admin });
  const reads = hybridReads(registry, view, context.signal);
  const answer = await hybridSearch(reads, tenant, view.stack, query);
  const { hits, total_matched, total_estimated, degraded } = answer;
  const ids = hits.map(({ id }) => id);
  // A hit is what its layer has; nobody else's head of the id is shown.
  const layers = [...new Set(hits.map(({ layer }) => layer))];
  const [heads, matched] = await Promise.all([
    view.reads.versions.listHeadsOf(tenant, layers, ids),
    explain ? reads.search.scoreDocuments(tenant, answer.terms, hits) : [],
  ]);
  const byHit = new Map(heads.map((head) => [`${head.layer} ${head.id}`, head]));
  return {
    query: query.query,
    total_matched,
    ...(total_estimated ? { total_estimated } : {}),
    ...(degraded ? { degraded } : {}),
    results: hits.flatMap((hit) => {
      const head = byHit.get(`${hit.layer} ${hit.id}`);
      if (head === undefined) return [];
      const shown = toResult(head, hit.score);
      if (!explain) return [shown];
      const terms = matched.find(({ layer, id }) => layer === hit.layer && id === hit.id)?.matched;
      const layer = view.byNumber.get(hit.layer)?.id ?? '';
      return [{ ...shown, explanation: explainHit(answer, terms ?? [], hit, layer) }];
    }),
  };
}

function toResult(head: HeadRecord, score: number): SearchResult {
  const { id, type, version, description, tags, frontmatter, sensitivity } = head;
  return {
    id,
    type,
    version,
    score,
    ...(frontmatter === null ? {} : { frontmatter }),
    description,
    tags: [...tags],
    ...(sensitivity === null ? {} : { sensitivity }),
  };
}
