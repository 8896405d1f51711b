import type { SearchResponse, SearchResult } from '@catalog/contract/records/discovery';
import type { SearchQuery } from '@catalog/core/ports/search-index';
import type { HeadRecord } from '@catalog/core/ports/versions';
import { fuse } from '@catalog/core/search/fuse';
import { recordOverride } from '../access/record-override.ts';
import { takeQuota } from '../access/take-quota.ts';
import type { CallContext, Registry } from '../registry.ts';
import { resolveView } from '../view/resolve-view.ts';

/** What a caller asks for. */
export interface ArtifactSearch extends SearchQuery {
  /** Every layer, whatever its visibility; who may ask so was decided before. */
  as_admin: boolean;
}

/** Searches the caller's view: the index finds and ranks, one read fetches what is shown. */
export async function searchArtifacts(
  registry: Registry,
  context: CallContext,
  { as_admin, ...query }: ArtifactSearch,
): Promise<SearchResponse> {
  const { tenant } = context;
  await takeQuota(registry, context, 'search', 1);
  if (as_admin) await recordOverride(registry, context, { operation: 'search_artifacts' });
  const { stack, reads } = await resolveView(registry, context, { as_admin });
  const { hits, bound, total_matched, total_estimated } = await reads.search.search(
    tenant,
    stack,
    query,
  );
  const ids = hits.map(({ id }) => id);
  const heads = await reads.versions.listHeadsOf(tenant, stack, ids);
  const byHit = new Map(heads.map((head) => [`${head.layer} ${head.id}`, head]));
  return {
    query: query.query,
    total_matched,
    ...(total_estimated ? { total_estimated } : {}),
    results: hits.flatMap(({ layer, id, score }) => {
      const head = byHit.get(`${layer} ${id}`);
      return head === undefined ? [] : [toResult(head, fuse({ score, bound }))];
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
