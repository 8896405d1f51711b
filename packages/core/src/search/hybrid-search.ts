import type {
  DocumentKey,
  IndexSearchResult,
  SearchIndexReads,
  SearchQuery,
} from '../ports/search-index.ts';
import type { Tenant } from '../ports/tenant.ts';
import type { FusedSearchResult, FusedHit, VectorHit, VectorIndex } from '../ports/vector-index.ts';
import type { LayerStack } from '../ports/versions.ts';
import { fuse, fuseRanks, type Fusion } from './fuse.ts';
import { byPrecedence } from './precedence.ts';
import { sharesWord } from './shares-word.ts';
import { searchVectorsOf, searchWordsOf, type SearchPart } from './search-parts.ts';

export type { FusedHit };

export const MAX_VECTOR_ONLY = 100;
/** Number of candidates by words, and the larger number used if the order is not certain. */
export const INITIAL_CANDIDATES = 100;
export const MAX_CANDIDATES = 400;

export interface QueryEmbedding {
  model: string;
  vector: Float32Array;
  /** Minimum similarity of a document found only by similarity. */
  floor: number;
  /** Minimum similarity of the nearest document, if no document shares a word with the query. */
  least_nearest: number;
  fusion: Fusion;
}

export interface HybridSearchResult extends FusedSearchResult {
  /** True if the vector search failed (SPEC-26). */
  degraded: boolean;
  /** True if the registry has no embeddings. */
  words_only: boolean;
}

export interface HybridReads {
  search: SearchIndexReads;
  vectors: Pick<VectorIndex, 'searchVectors' | 'compareVectors' | 'searchFused'>;
  /** Embeds the query while its words are looked up; undefined without vector search. */
  ask: ((query: string) => Promise<QueryEmbedding | undefined>) | undefined;
  /** Called with the reason of a failed vector search. Words still return results. */
  onFailure: (cause: unknown) => void;
}

/**
 * Searches by words and vectors (SPEC-26, SPEC-52). A match has a word of the query, or is one of the nearest documents
 * and reaches the floor. If no document shares a word, the nearest one must be near enough. `parts` are the alternatives
 * of the filters. If the vector search fails, only words count.
 */
export async function hybridSearch(
  reads: HybridReads,
  tenant: Tenant,
  layers: LayerStack,
  query: SearchQuery,
  parts: readonly SearchPart[] = [query],
): Promise<HybridSearchResult> {
  // All searches share one request for the embedding.
  let embeddingRequest: Promise<QueryEmbedding | undefined> | undefined;
  const ask =
    reads.ask &&
    ((text: string) => (embeddingRequest ??= reads.ask?.(text) ?? Promise.resolve(undefined)));
  const shared = { ...reads, ask };
  const answer = await findMatches(shared, tenant, layers, query, parts);
  if (answer.degraded || answer.hits.length === 0) return answer;
  const meaning = await embeddingRequest;
  if (meaning === undefined || sharesWord(answer, meaning.least_nearest)) return answer;
  const nearest = await attempt(reads, () => isNearest(reads, tenant, layers, meaning));
  if (nearest === true) return answer;
  const degraded = nearest === undefined;
  return { ...answer, hits: [], total_matched: 0, total_estimated: false, degraded };
}

async function isNearest(
  { vectors }: HybridReads,
  tenant: Tenant,
  layers: LayerStack,
  { model, vector, floor, least_nearest }: QueryEmbedding,
): Promise<boolean> {
  if (least_nearest <= floor) return true;
  if (least_nearest > 1) return false;
  const everything = { model, vector, type: '', tags: [], scope: '', top_k: 1 };
  const [nearest] = await vectors.searchVectors(tenant, layers, everything);
  return nearest !== undefined && nearest.similarity >= least_nearest;
}

async function findMatches(
  reads: HybridReads,
  tenant: Tenant,
  layers: LayerStack,
  query: SearchQuery,
  parts: readonly SearchPart[],
): Promise<HybridSearchResult> {
  const { ask } = reads;
  const searchWords = (top_k: number): Promise<IndexSearchResult> =>
    searchWordsOf(reads.search, tenant, layers, { query: query.query, top_k }, parts);
  const hasWords = query.query.trim() !== '';
  if (ask === undefined || !hasWords) {
    return { ...rankByWords(await searchWords(query.top_k)), words_only: hasWords };
  }
  const [only, ...others] = parts;
  const fused =
    only === undefined || others.length > 0
      ? undefined
      : await searchFused(
          reads,
          tenant,
          layers,
          { ...only, query: query.query, top_k: query.top_k },
          ask,
        );
  if (fused !== undefined) return { ...fused, degraded: false, words_only: false };
  const width = Math.max(INITIAL_CANDIDATES, query.top_k);
  const [words, near] = await Promise.all([
    searchWords(width),
    attempt(reads, () => findNear(reads.vectors, tenant, layers, query.query, parts, ask)),
  ]);
  const rank = byPrecedence(layers);
  const crossScores: CrossScores = { scores: new Map(), similarities: new Map() };
  for (let wide = width, answer = words; ;) {
    const fused = near && (await fuseArms(reads, tenant, answer, near, crossScores));
    if (near === undefined || fused === undefined) {
      const hits = words.hits.slice(0, query.top_k);
      return { ...rankByWords({ ...words, hits }), degraded: true };
    }
    const hits = fused.sort((a, b) => b.score - a.score || rank(a, b)).slice(0, query.top_k);
    const alone = fused.filter(({ lexical }) => lexical === 0).length;
    if (wide >= MAX_CANDIDATES || isCertain(answer, near, wide, hits.at(query.top_k - 1))) {
      return {
        ...answer,
        hits,
        total_matched: answer.total_matched + alone,
        total_estimated: answer.total_estimated || isCut(near),
        degraded: false,
        words_only: false,
      };
    }
    wide = MAX_CANDIDATES;
    answer = await searchWords(wide);
  }
}

async function searchFused(
  { vectors }: HybridReads,
  tenant: Tenant,
  layers: LayerStack,
  query: SearchQuery,
  ask: (query: string) => Promise<QueryEmbedding | undefined>,
): Promise<FusedSearchResult | undefined> {
  if (vectors.searchFused === undefined) return undefined;
  try {
    const meaning = await ask(query.query);
    if (meaning?.fusion !== 'cosine') return undefined;
    const { floor } = meaning;
    const wanted = { ...query, asked: meaning, most_near: MAX_VECTOR_ONLY, floor };
    return await vectors.searchFused(tenant, layers, wanted);
  } catch {
    // For undefined, the caller searches words and vectors separately, and reports the failure.
    return undefined;
  }
}

interface Near {
  meaning: QueryEmbedding;
  hits: readonly VectorHit[];
}

async function attempt<Result>(
  reads: HybridReads,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (cause) {
    reads.onFailure(cause);
    return undefined;
  }
}

async function findNear(
  vectors: HybridReads['vectors'],
  tenant: Tenant,
  layers: LayerStack,
  query: string,
  parts: readonly SearchPart[],
  ask: (query: string) => Promise<QueryEmbedding | undefined>,
): Promise<Near | undefined> {
  const meaning = await ask(query);
  if (meaning === undefined) return undefined;
  const { model, vector } = meaning;
  if (isZeroVector(vector)) return { meaning, hits: [] };
  const wanted = { model, vector, top_k: MAX_VECTOR_ONLY };
  const hits = await searchVectorsOf(vectors, tenant, layers, wanted, parts);
  return { meaning, hits };
}

/** Returns true if more documents than requested may be above the floor. */
function isCut({ meaning, hits }: Near): boolean {
  const last = hits[MAX_VECTOR_ONLY - 1];
  return last !== undefined && last.similarity >= meaning.floor;
}

/** Returns true for a zero vector, which means that the model knows none of the words. */
function isZeroVector(vector: Float32Array): boolean {
  return vector.every((value) => value === 0);
}

interface CrossScores {
  scores: Map<string, number>;
  similarities: Map<string, number>;
}

async function fuseArms(
  reads: HybridReads,
  tenant: Tenant,
  { hits, terms, bound }: IndexSearchResult,
  { meaning, hits: near }: Near,
  { scores, similarities }: CrossScores,
): Promise<FusedHit[] | undefined> {
  const byWords = new Map(hits.map((hit, at) => [keyOf(hit), { ...hit, at }]));
  const byMeaning = new Map(near.map((hit, at) => [keyOf(hit), { ...hit, at }]));
  const meant = near.filter((hit) => !byWords.has(keyOf(hit)));
  const unread = meant.filter((hit) => !scores.has(keyOf(hit)));
  const uncompared = hits.filter(
    (hit) => !byMeaning.has(keyOf(hit)) && !similarities.has(keyOf(hit)),
  );
  const [scored, compared] = await Promise.all([
    terms.length === 0 || unread.length === 0
      ? []
      : reads.search.scoreDocuments(tenant, terms, unread),
    isZeroVector(meaning.vector) || uncompared.length === 0
      ? []
      : attempt(reads, () => reads.vectors.compareVectors(tenant, meaning, uncompared)),
  ]);
  if (compared === undefined) return undefined;
  for (const hit of scored) scores.set(keyOf(hit), hit.score);
  for (const hit of compared) similarities.set(keyOf(hit), hit.similarity);
  function fused({ layer, id }: DocumentKey): FusedHit {
    const key = keyOf({ layer, id });
    const lexical = byWords.get(key)?.score ?? scores.get(key) ?? 0;
    const similarity = byMeaning.get(key)?.similarity ?? similarities.get(key);
    const score =
      meaning.fusion === 'rrf'
        ? fuseRanks(byWords.get(key)?.at, byMeaning.get(key)?.at)
        : fuse({ score: lexical, bound }, { cosine: similarity ?? 0 });
    return { layer, id, score, lexical, similarity };
  }
  const found = meant.map(fused);
  return [
    ...hits.map(fused),
    ...found.filter(({ lexical, similarity = 0 }) => lexical > 0 || similarity >= meaning.floor),
  ];
}

/**
 * Returns true if no further document can be among the best: its word score is at most that of the last candidate by
 * words, and its similarity at most that of the last by vectors.
 */
function isCertain(
  { hits, bound }: IndexSearchResult,
  { meaning, hits: near }: Near,
  width: number,
  last: FusedHit | undefined,
): boolean {
  if (meaning.fusion === 'rrf' || hits.length < width) return true;
  if (last === undefined) return false;
  const farthest = near.length < MAX_VECTOR_ONLY ? 0 : Math.max(0, near.at(-1)?.similarity ?? 0);
  const ceiling = fuse({ score: hits.at(-1)?.score ?? 0, bound }, { cosine: farthest });
  return last.score > ceiling;
}

function rankByWords({ hits, ...answer }: IndexSearchResult): HybridSearchResult {
  return {
    ...answer,
    degraded: false,
    words_only: false,
    hits: hits.map(({ layer, id, score }) => ({
      layer,
      id,
      score: fuse({ score, bound: answer.bound }),
      lexical: score,
      similarity: undefined,
    })),
  };
}

function keyOf({ layer, id }: DocumentKey): string {
  return `${layer} ${id}`;
}
