import { compareBytes } from '../artifact/compare-bytes.ts';
import type {
  ScoredDocument,
  IndexSearchResult,
  SearchDocument,
  SearchedTerm,
  SearchQuery,
} from '../ports/search-index.ts';
import type { LayerNumber } from '../ports/layer-number.ts';
import { isWithin } from '../text/slash-path.ts';
import { scoreOf } from './bm25.ts';
import { documentFilters, documentTerms, queryFilters } from './document-terms.ts';
import { DEFAULT_LANGUAGE, type SearchLanguage } from './language.ts';
import { queryWords } from './query-terms.ts';
import { weighAmong } from './weigh-among.ts';

export interface SearchedLayer {
  number: LayerNumber;
  /** Ids of all heads, each of which hides the same id in lower layers. */
  heads: ReadonlySet<string>;
  documents: readonly SearchDocument[];
}

/** Reference implementation for the conformance tests of engines. */
export function referenceSearch(
  layers: readonly SearchedLayer[],
  query: SearchQuery,
  language: SearchLanguage = DEFAULT_LANGUAGE,
): IndexSearchResult {
  const words = query.query.trim() === '' ? undefined : queryWords(query.query, [language]);
  const indexed = layers.flatMap(({ documents }) =>
    documents.map((each) => termsOf(each, language)),
  );
  const { terms, bound } = weighAmong(indexed, words ?? []);
  const matches = layers.flatMap(({ number, documents }, rank) =>
    documents
      .filter(({ id }) => !layers.slice(rank + 1).some(({ heads }) => heads.has(id)))
      .filter((document) => passes(document, number, query))
      .map((document) => {
        const { score } = scoreDocument(number, document, terms, language);
        return { layer: number, rank, id: document.id, score };
      }),
  );
  const found =
    words === undefined
      ? matches.sort((a, b) => compareBytes(a.id, b.id))
      : matches
          .filter(({ score }) => score > 0)
          .sort((a, b) => b.score - a.score || b.rank - a.rank || compareBytes(a.id, b.id));
  return {
    hits: found.slice(0, query.top_k).map(({ layer, id, score }) => ({ layer, id, score })),
    terms,
    bound,
    is_known: terms.some(({ term }) => indexed.some((weighed) => weighed.has(term))),
    total_matched: found.length,
    total_estimated: false,
  };
}

export function scoreDocument(
  layer: LayerNumber,
  document: SearchDocument,
  terms: readonly SearchedTerm[],
  language: SearchLanguage = DEFAULT_LANGUAGE,
): ScoredDocument {
  const weighed = termsOf(document, language);
  const sum = terms.reduce(
    (total, { term, rarity }) => total + rarity * (weighed.get(term) ?? 0),
    0,
  );
  const matched = terms.map(({ term }) => term).filter((term) => weighed.has(term));
  return { layer, id: document.id, score: scoreOf(sum), matched };
}

type Terms = Map<string, number>;

const made: Readonly<Record<SearchLanguage, WeakMap<SearchDocument, Terms>>> = {
  english: new WeakMap(),
  none: new WeakMap(),
};

function termsOf(document: SearchDocument, language: SearchLanguage): Terms {
  const terms = made[language].get(document) ?? documentTerms(document, language);
  made[language].set(document, terms);
  return terms;
}

function passes(
  document: SearchDocument,
  number: number,
  { scope, ...query }: SearchQuery,
): boolean {
  const filters = new Set(documentFilters(document, number));
  return queryFilters(query).every((filter) => filters.has(filter)) && isWithin(document.id, scope);
}
