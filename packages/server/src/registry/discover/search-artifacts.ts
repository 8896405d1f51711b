import { FACET_WINDOW, SEARCH_WINDOW } from '@catalog/contract/limits';
import type { SearchResponse, SearchResult } from '@catalog/contract/records/discovery';
import type { FusedHit } from '@catalog/core/ports/vector-index';
import type { HeadRecord } from '@catalog/core/ports/versions';
import { explainHit } from '@catalog/core/search/explain-hit';
import { hybridSearch, type HybridSearchResult } from '@catalog/core/search/hybrid-search';
import { matchedFields } from '@catalog/core/search/matched-fields';
import {
  splitFilters,
  type SearchFilters,
  type SearchPart,
} from '@catalog/core/search/search-parts';
import { recordOverride } from '../access/record-override.ts';
import { consumeQuota } from '../access/consume-quota.ts';
import { listWinners } from '../load/resolve-artifact.ts';
import type { CallContext, Registry } from '../registry.ts';
import { hybridReads } from '../search/hybrid-reads.ts';
import { resolveView } from '../view/resolve-view.ts';
import type { View } from '../view/view.ts';
import { countFacets, isUnfiltered, passesFilters, type FoundArtifact } from './search-facets.ts';

/** Search request. Several values of `type`, `scope` and `layer` are alternatives. */
export interface ArtifactSearch {
  query: string;
  type: readonly string[];
  /** Tags, all of which must match. */
  tags: readonly string[];
  scope: readonly string[];
  layer: readonly string[];
  harness: string;
  top_k: number;
  /** True to search all layers regardless of visibility. The route has checked the permission. */
  as_admin: boolean;
  explain?: boolean;
  /** Number of results to skip, up to `SEARCH_WINDOW`. */
  offset?: number;
  facets?: boolean;
}

interface Matches {
  answer: HybridSearchResult;
  found: readonly FoundArtifact[];
  total_matched: number;
  total_estimated: boolean;
}

/** Searches by words and vectors. One read loads all artifacts of the page. */
export async function searchArtifacts(
  registry: Registry,
  context: CallContext,
  search: ArtifactSearch,
): Promise<SearchResponse> {
  const { query, as_admin, explain = false, offset = 0, facets = false, top_k } = search;
  const { tenant } = context;
  await consumeQuota(registry, context, 'search', 1);
  if (as_admin) await recordOverride(registry, context, { operation: 'search_artifacts' });
  const view = await resolveView(registry, context, { as_admin });
  registry.read_log.noteSearch(context, query);
  const reads = hybridReads(registry, view, context.signal);
  const filters = toFilters(view, search);
  const exact = findDeprecated(context, view, query);

  async function findMatches(parts: readonly SearchPart[], limit: number): Promise<Matches> {
    const searchInput = { query, type: '', tags: [], scope: '', top_k: limit };
    const answer = await hybridSearch(reads, tenant, view.stack, searchInput, parts);
    const found = await loadHeads(context, view, answer.hits);
    const { total_matched, total_estimated } = answer;
    return withExact({ answer, found, total_matched, total_estimated }, await exact);
  }

  const parts = splitFilters(filters);
  const isPage = offset > 0 || facets || search.layer.length > 0 || search.harness !== '';
  // Counting facets needs the matches without filters: each count replaces one filter of the search.
  const whole =
    facets || parts === undefined ? await findMatches([NO_PART], FACET_WINDOW) : undefined;
  const matches = await narrow(filters, whole, parts, (some) =>
    findMatches(some, isPage ? SEARCH_WINDOW : top_k),
  );
  const { answer, found, total_matched, total_estimated } = matches;
  const page = found.slice(offset, offset + top_k);
  const pageHits = page.map(({ hit }) => hit);
  const matched = explain ? await reads.search.scoreDocuments(tenant, answer.terms, pageHits) : [];
  return {
    query,
    total_matched,
    ...(total_estimated ? { total_estimated } : {}),
    ...(answer.degraded ? { degraded: true } : {}),
    ...(answer.words_only ? { words_only: true } : {}),
    results: page.map(({ hit, head }) => {
      const served = view.byNumber.get(hit.layer)?.id ?? '';
      const place = isPage ? { layer: served, updated_at: head.ingested_at } : {};
      const shown = { ...toResult(head, hit.score), ...place };
      if (!explain) return shown;
      const terms =
        matched.find((one) => one.layer === hit.layer && one.id === hit.id)?.matched ?? [];
      const explanation = explainHit(answer, terms, hit, served);
      return { ...shown, explanation: { ...explanation, fields: matchedFields(head, terms) } };
    }),
    ...(facets && whole !== undefined
      ? { facets: countFacets(view, whole.found, filters, { isComplete: isComplete(whole) }) }
      : {}),
  };
}

const NO_PART: SearchPart = { type: '', tags: [], scope: '' };

function toFilters(
  view: View,
  { type, tags, scope, layer, harness }: ArtifactSearch,
): SearchFilters {
  const layers = view.layers.filter(({ id }) => layer.includes(id)).map(({ number }) => number);
  return {
    types: type,
    tags,
    scopes: scope,
    layers: layer.length === 0 ? undefined : layers,
    harness,
  };
}

function isComplete({ found, total_matched, total_estimated }: Matches): boolean {
  return !total_estimated && found.length >= total_matched;
}

/** Applies the filters. Searches again only if the unfiltered matches are incomplete. */
async function narrow(
  filters: SearchFilters,
  whole: Matches | undefined,
  parts: readonly SearchPart[] | undefined,
  find: (parts: readonly SearchPart[]) => Promise<Matches>,
): Promise<Matches> {
  if (whole === undefined) return find(parts ?? [NO_PART]);
  const found = whole.found.filter(({ head }) => passesFilters(head, filters));
  if (found.length === whole.found.length && parts?.length === 1 && isUnfiltered(filters))
    return whole;
  if (parts === undefined || isComplete(whole)) {
    return {
      ...whole,
      found,
      total_matched: found.length,
      total_estimated: !isComplete(whole),
    };
  }
  const matches = await find(parts);
  // The total must not be lower than the facets.
  return { ...matches, total_matched: Math.max(matches.total_matched, found.length) };
}

async function loadHeads(
  { tenant }: CallContext,
  view: View,
  hits: readonly FusedHit[],
): Promise<FoundArtifact[]> {
  const ids = hits.map(({ id }) => id);
  const layers = [...new Set(hits.map(({ layer }) => layer))];
  const heads = await view.reads.versions.listHeadsOf(tenant, layers, ids);
  const byHit = new Map(heads.map((head) => [`${head.layer} ${head.id}`, head]));
  return hits.flatMap((hit) => {
    const head = byHit.get(`${hit.layer} ${hit.id}`);
    return head === undefined ? [] : [{ hit, head }];
  });
}

/** Returns a deprecated artifact whose id is exactly the query (SPEC-97). */
async function findDeprecated(
  context: CallContext,
  view: View,
  query: string,
): Promise<HeadRecord | undefined> {
  const id = query.trim();
  if (id === '' || /\s/.test(id)) return undefined;
  const head = (await listWinners(context, view, [id])).get(id);
  return head?.deprecated === true && head.search_visibility === 'indexed' ? head : undefined;
}

function withExact(matches: Matches, head: HeadRecord | undefined): Matches {
  if (head === undefined) return matches;
  const { layer, id } = head;
  const score = Math.max(1, matches.found[0]?.hit.score ?? 0);
  const hit = { layer, id, score, lexical: 0, similarity: undefined };
  return {
    ...matches,
    found: [{ hit, head }, ...matches.found],
    total_matched: matches.total_matched + 1,
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
    ...(head.deprecated ? { deprecated: true } : {}),
    ...(sensitivity === null ? {} : { sensitivity }),
  };
}
