import { SEARCH_WINDOW } from '@catalog/contract/limits';
import type {
  SearchFacets,
  SearchResponse,
  SearchResult,
} from '@catalog/contract/records/discovery';
import type { SearchQuery } from '@catalog/core/ports/search-index';
import type { HeadRecord } from '@catalog/core/ports/versions';
import { explainHit } from '@catalog/core/search/explain-hit';
import { hybridSearch } from '@catalog/core/search/hybrid-search';
import { matchedFields } from '@catalog/core/search/matched-fields';
import { recordOverride } from '../access/record-override.ts';
import { takeQuota } from '../access/take-quota.ts';
import type { CallContext, Registry } from '../registry.ts';
import { hybridReads } from '../search/hybrid-reads.ts';
import { resolveView } from '../view/resolve-view.ts';
import { passes } from './head-filter.ts';
import type { View } from '../view/view.ts';

/** What a caller asks for. */
export interface ArtifactSearch extends SearchQuery {
  /** Every layer, whatever its visibility; who may ask so was decided before. */
  as_admin: boolean;
  /** Tell why each result stands where it stands. */
  explain?: boolean;
  /** Results to skip, of the first `SEARCH_WINDOW`. */
  offset?: number;
  /** The id of the layer that serves a result; empty for any. */
  layer?: string;
  /** The harness a result is for; empty for any. */
  harness?: string;
  /** Count the values of the first `SEARCH_WINDOW` results. */
  facets?: boolean;
}

/** Searches the caller's view: words and meaning find and rank, one read fetches what is shown. */
export async function searchArtifacts(
  registry: Registry,
  context: CallContext,
  search: ArtifactSearch,
): Promise<SearchResponse> {
  const { as_admin, explain = false, offset = 0, layer = '', harness = '', ...more } = search;
  const { facets = false, ...query } = more;
  const { tenant } = context;
  // What is skipped, filtered here or counted is among the first results, whatever the catalog holds.
  const isWindow = offset > 0 || facets || layer + harness !== '';
  await takeQuota(registry, context, 'search', 1);
  if (as_admin) await recordOverride(registry, context, { operation: 'search_artifacts' });
  const view = await resolveView(registry, context, { as_admin });
  const reads = hybridReads(registry, view, context.signal);
  const answer = await hybridSearch(reads, tenant, view.stack, {
    ...query,
    top_k: isWindow ? SEARCH_WINDOW : query.top_k,
  });
  const { hits, total_estimated, degraded, words_only } = answer;
  const ids = hits.map(({ id }) => id);
  // A hit is what its layer has; nobody else's head of the id is shown.
  const layers = [...new Set(hits.map(({ layer }) => layer))];
  const heads = await view.reads.versions.listHeadsOf(tenant, layers, ids);
  const byHit = new Map(heads.map((head) => [`${head.layer} ${head.id}`, head]));
  const found = hits.flatMap((hit) => {
    const head = byHit.get(`${hit.layer} ${hit.id}`);
    return head !== undefined && passes(view, head, { ...NO_FILTER, layer, harness })
      ? [{ hit, head }]
      : [];
  });
  const page = found.slice(offset, offset + query.top_k);
  const pageHits = page.map(({ hit }) => hit);
  const matched = explain ? await reads.search.scoreDocuments(tenant, answer.terms, pageHits) : [];
  const isNarrowed = layer + harness !== '';
  return {
    query: query.query,
    total_matched: isNarrowed ? found.length : answer.total_matched,
    ...(total_estimated && !isNarrowed ? { total_estimated } : {}),
    ...(degraded ? { degraded } : {}),
    ...(words_only ? { words_only } : {}),
    results: page.map(({ hit, head }) => {
      const served = view.byNumber.get(hit.layer)?.id ?? '';
      const place = isWindow ? { layer: served, updated_at: head.ingested_at } : {};
      const shown = { ...toResult(head, hit.score), ...place };
      if (!explain) return shown;
      const terms =
        matched.find((one) => one.layer === hit.layer && one.id === hit.id)?.matched ?? [];
      const explanation = explainHit(answer, terms, hit, served);
      return { ...shown, explanation: { ...explanation, fields: matchedFields(head, terms) } };
    }),
    ...(facets
      ? {
          facets: countFacets(
            view,
            found.map(({ head }) => head),
          ),
        }
      : {}),
  };
}

const NO_FILTER = { type: '', tags: [], layer: '', harness: '' };

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

/** Counts the types, tags and layers of the heads that a search found. */
function countFacets(view: View, heads: readonly HeadRecord[]): SearchFacets {
  return {
    results: heads.length,
    type: countEach(heads.map(({ type }) => type)),
    tag: countEach(heads.flatMap(({ tags }) => [...new Set(tags)])),
    layer: countEach(heads.map(({ layer }) => view.byNumber.get(layer)?.id ?? '')),
  };
}

function countEach(values: readonly string[]): Record<string, number> {
  const groups = Map.groupBy(values, (value) => value);
  return Object.fromEntries(Array.from(groups, ([value, same]) => [value, same.length]));
}
