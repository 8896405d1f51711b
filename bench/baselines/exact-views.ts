import type { SearchDocument, SearchHit, SearchedTerm } from '@catalog/core/ports/search-index';
import { mistakesBetween } from '@catalog/core/search/near-words';
import { queryWords } from '@catalog/core/search/query-terms';
import type { CatalogModel } from '../fixtures/pg-catalog.ts';
import { collectPostings, type ExactPostings } from './exact-bm25.ts';
import { weighAllTerms } from './weigh-all-terms.ts';

export interface ExactViews {
  /** Returns the found share of the best `depth` results. Ties at the cutoff are interchangeable. */
  recall(
    layers: readonly number[],
    query: string,
    hits: readonly Pick<SearchHit, 'layer' | 'id'>[],
    depth: number,
  ): number;
}

/**
 * Relative tolerance: the store rounds impacts to integers, so scores that differ in the sixth
 * digit are equal.
 */
const ROUNDING = 1e-5;

const NO_POSTINGS: ExactPostings = { places: [], quotients: [] };

/** Generates every document once more and keeps the postings that the queries need. */
export function openExactViews(model: CatalogModel, queries: readonly string[]): ExactViews {
  const keys = new Map<string, number>();
  const sharers = new Map<string, number[]>();
  const layerOf = new Int32Array(model.n);
  const postings = collectPostings(makeDocuments(), createTermFilter(queries));
  const postingsOf = (term: string): ExactPostings => postings.get(term) ?? NO_POSTINGS;

  function* makeDocuments(): Generator<SearchDocument> {
    const first = new Map<string, number>();
    for (let place = 0; place < model.n; place += 1) {
      const document = model.documentAt(place);
      const layer = model.layerAt(place).number;
      const key = `${layer} ${document.id}`;
      // If a layer has an id twice, the later document replaces the earlier one.
      const replaced = keys.get(key);
      if (replaced !== undefined) layerOf[replaced] = 0;
      layerOf[place] = layer;
      keys.set(key, place);
      const other = first.get(document.id);
      if (other === undefined) first.set(document.id, place);
      else sharers.set(document.id, [...(sharers.get(document.id) ?? [other]), place]);
      yield document;
    }
  }

  /** Lists documents that a higher layer hides. In this data set, layers with higher numbers are higher. */
  function listHidden(visible: ReadonlySet<number>): Set<number> {
    const hidden = new Set<number>();
    for (const places of sharers.values()) {
      const seen = places.filter((place) => visible.has(layerOf[place] ?? 0));
      const highest = Math.max(...seen.map((place) => layerOf[place] ?? 0));
      for (const place of seen) if (layerOf[place] !== highest) hidden.add(place);
    }
    return hidden;
  }

  const views = new Map<string, View>();
  function viewOf(layers: readonly number[]): View {
    const name = layers.join(' ');
    const known = views.get(name);
    if (known !== undefined) return known;
    const visible = new Set(layers);
    let documents = 0;
    for (const layer of layerOf) if (visible.has(layer)) documents += 1;
    const view = { visible, hidden: listHidden(visible), documents };
    views.set(name, view);
    return view;
  }

  function weigh(query: string, { visible, documents }: View): SearchedTerm[] {
    const holdersOf = (term: string): number =>
      postingsOf(term).places.filter((place) => visible.has(layerOf[place] ?? 0)).length;
    return weighAllTerms(query, { documents, holdersOf, postings }).terms;
  }

  return {
    recall(layers, query, hits, depth) {
      const view = viewOf(layers);
      const { visible, hidden } = view;
      const sums = new Float64Array(model.n);
      for (const { term, rarity } of weigh(query, view)) {
        const { places, quotients } = postingsOf(term);
        places.forEach((place, at) => {
          if (!visible.has(layerOf[place] ?? 0) || hidden.has(place)) return;
          sums[place] = (sums[place] ?? 0) + rarity * (quotients[at] ?? 0);
        });
      }
      const best = topScores(sums, depth);
      const least = best.at(-1);
      if (least === undefined) return hits.length === 0 ? 1 : 0;
      const right = hits.slice(0, depth).filter(({ layer, id }) => {
        const place = keys.get(`${layer} ${id}`);
        return place !== undefined && (sums[place] ?? 0) >= least * (1 - ROUNDING);
      });
      return right.length / best.length;
    },
  };
}

interface View {
  visible: ReadonlySet<number>;
  hidden: ReadonlySet<number>;
  documents: number;
}

function createTermFilter(queries: readonly string[]): (term: string) => boolean {
  const words = queries.flatMap((query) => queryWords(query));
  const queryTerms = new Set(words.flatMap(({ terms }) => terms));
  const prefixes = words.filter(({ is_last }) => is_last).map(({ word }) => word);
  const typoCandidates = new Set(words.flatMap(({ word, terms }) => [word, ...terms.slice(0, 1)]));
  const known = new Map<string, boolean>();
  return (term) => {
    const isWanted =
      known.get(term) ??
      (queryTerms.has(term) ||
        prefixes.some((word) => term.startsWith(word)) ||
        [...typoCandidates].some((word) => mistakesBetween(word, term) !== undefined));
    known.set(term, isWanted);
    return isWanted;
  };
}

function topScores(sums: Float64Array, depth: number): number[] {
  const best: number[] = [];
  for (const sum of sums) {
    if (sum === 0 || (best.length === depth && sum <= (best.at(-1) ?? 0))) continue;
    let at = best.length;
    while (at > 0 && (best[at - 1] ?? 0) < sum) at -= 1;
    best.splice(at, 0, sum);
    if (best.length > depth) best.pop();
  }
  return best;
}
