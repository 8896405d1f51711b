import { compareBytes } from '../artifact/compare-bytes.ts';
import type { SearchAnswer, SearchDocument, SearchQuery } from '../ports/search-index.ts';
import { boundOf, rarityOf, scoreOf } from './bm25.ts';
import { documentTerms } from './document-terms.ts';
import { queryTerms } from './query-terms.ts';

/** A layer of a view, all of it at hand. */
export interface SearchedLayer {
  number: number;
  /** The ids of every head, searched or not: each hides the same id in lower layers. */
  heads: ReadonlySet<string>;
  documents: readonly SearchDocument[];
}

/**
 * The definition of a search, written to be read: every document is looked at. Engines have to answer
 * the same, and their conformance suite asks this function.
 */
export function referenceSearch(
  layers: readonly SearchedLayer[],
  query: SearchQuery,
): SearchAnswer {
  const terms = query.query.trim() === '' ? undefined : queryTerms(query.query);
  const indexed = layers.flatMap(({ documents }) => documents.map(documentTerms));
  const rarities = (terms ?? []).map((term) =>
    rarityOf(indexed.length, indexed.filter((weighed) => weighed.has(term)).length),
  );
  const matches = layers.flatMap(({ number, documents }, rank) =>
    documents
      .filter(({ id }) => !layers.slice(rank + 1).some(({ heads }) => heads.has(id)))
      .filter((document) => passes(document, query))
      .map((document) => {
        const weighed = documentTerms(document);
        const impacts = (terms ?? []).map((term) => weighed.get(term) ?? 0);
        const sum = impacts.reduce((total, impact, at) => total + impact * (rarities[at] ?? 0), 0);
        return { layer: number, rank, id: document.id, score: scoreOf(sum) };
      }),
  );
  const found =
    terms === undefined
      ? matches.sort((a, b) => compareBytes(a.id, b.id))
      : matches
          .filter(({ score }) => score > 0)
          .sort((a, b) => b.score - a.score || b.rank - a.rank || compareBytes(a.id, b.id));
  return {
    hits: found.slice(0, query.top_k).map(({ layer, id, score }) => ({ layer, id, score })),
    bound: boundOf(rarities),
    total_matched: found.length,
    total_estimated: false,
  };
}

function passes(document: SearchDocument, { type, tags, scope }: SearchQuery): boolean {
  return (
    (type === '' || document.type === type) &&
    tags.every((tag) => document.tags.includes(tag)) &&
    (scope === '' || document.id === scope || document.id.startsWith(`${scope}/`))
  );
}
