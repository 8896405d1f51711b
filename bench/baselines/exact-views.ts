import type { SearchDocument, SearchHit } from '@catalog/core/ports/search-index';
import { queryTerms } from '@catalog/core/search/query-terms';
import type { CatalogueModel } from '../fixtures/pg-catalogue.ts';
import { collectPostings, rarityExactly } from './exact-bm25.ts';

/** The exact order of every view of a data set. */
export interface ExactViews {
  /** The share of the best `depth` of a view that was found; of equals at the end, any will do. */
  recall(
    layers: readonly number[],
    query: string,
    hits: readonly Pick<SearchHit, 'layer' | 'id'>[],
    depth: number,
  ): number;
}

/** Scores are whole in the store: what differs in the sixth digit is as good. */
const ROUNDING = 1e-5;

/** Makes every document once more and keeps what some queries ask of them. */
export function openExactViews(model: CatalogueModel, queries: readonly string[]): ExactViews {
  const keys = new Map<string, number>();
  const sharers = new Map<string, number[]>();
  const layerOf = new Int32Array(model.n);
  const wanted = new Set(queries.flatMap(queryTerms));
  const postings = collectPostings(makeDocuments(), wanted);

  function* makeDocuments(): Generator<SearchDocument> {
    const first = new Map<string, number>();
    for (let place = 0; place < model.n; place += 1) {
      const document = model.documentAt(place);
      const layer = model.layerAt(place).number;
      const key = `${layer} ${document.id}`;
      // Of two in one layer the later one is kept.
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

  /** In this data set a higher number is a higher layer. */
  function listHidden(visible: ReadonlySet<number>): Set<number> {
    const hidden = new Set<number>();
    for (const places of sharers.values()) {
      const seen = places.filter((place) => visible.has(layerOf[place] ?? 0));
      const highest = Math.max(...seen.map((place) => layerOf[place] ?? 0));
      for (const place of seen) if (layerOf[place] !== highest) hidden.add(place);
    }
    return hidden;
  }

  const views = new Map<string, { visible: Set<number>; hidden: Set<number>; documents: number }>();
  function viewOf(layers: readonly number[]) {
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

  return {
    recall(layers, query, hits, depth) {
      const { visible, hidden, documents } = viewOf(layers);
      const sums = new Float64Array(model.n);
      for (const term of queryTerms(query)) {
        const { places, quotients } = postings.get(term) ?? { places: [], quotients: [] };
        const holds = (place: number): boolean => visible.has(layerOf[place] ?? 0);
        const rarity = rarityExactly(documents, places.filter(holds).length);
        places.forEach((place, at) => {
          if (!holds(place) || hidden.has(place)) return;
          sums[place] = (sums[place] ?? 0) + rarity * (quotients[at] ?? 0);
        });
      }
      const best = bestOf(sums, depth);
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

/** The highest sums above 0, the highest first. */
function bestOf(sums: Float64Array, depth: number): number[] {
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
