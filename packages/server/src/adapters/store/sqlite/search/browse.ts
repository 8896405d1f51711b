import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { IndexSearchResult, SearchQuery } from '@catalog/core/ports/search-index';
import { queryFilters } from '@catalog/core/search/document-terms';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import { firstById, LAST_ID, type Found, type Members } from './by-id.ts';
import { numberAt, placeOf, stretchOf } from './postings.ts';
import { countFilters, listNamed, readRows, type Search } from './rows.ts';

/** Lists documents without query words. Counts come from counters and intersections. */
export function browse(search: Search, query: SearchQuery): IndexSearchResult {
  const members = listMembers(search, query);
  const first = firstOfAll(search, members, query);
  return {
    hits: first.map(({ layer, id }) => ({ layer, id, score: 0 })),
    terms: [],
    bound: 0,
    is_known: false,
    total_matched: members.reduce((sum, { count }) => sum + count, 0),
    total_estimated: false,
  };
}

export function listMembers(search: Search, query: SearchQuery): Members[] {
  const filtered = queryFilters(query).length > 0 || query.scope !== '';
  return filtered ? listFiltered(search, query) : listAll(search);
}

function listAll(search: Search): Members[] {
  const { documents: counts, shadows } = search.view;
  return [...counts].map(([layer, documents]) => {
    const has = (number: number): boolean =>
      !shadows.placesIn(layer, stretchOf(number)).has(placeOf(number));
    return {
      layer,
      count: documents - shadows.count(layer),
      among: documents,
      has,
      list: () => listNumbers(search, layer).filter(has),
    };
  });
}

function listFiltered(search: Search, query: SearchQuery): Members[] {
  const { filter_count, byLayer } = readRows(search, [], query);
  const { documents, shadows } = search.view;
  return [...byLayer].map(([layer, stretches]) => {
    const marked = new Map<number, Uint16Array>();
    let count = 0;
    for (const rows of stretches.values()) {
      const marks = countFilters(rows).slice();
      for (const place of shadows.placesIn(layer, rows.stretch)) marks[place] = 0;
      marked.set(rows.stretch, marks);
      for (const mark of marks) if (mark === filter_count) count += 1;
    }
    const onlyScope = query.scope !== '' && filter_count === 1;
    return {
      layer,
      count,
      among: onlyScope ? count : (documents.get(layer) ?? 0),
      has: (number) => marked.get(stretchOf(number))?.[placeOf(number)] === filter_count,
      list: () => listMarked(marked, filter_count),
    };
  });
}

function listMarked(marked: ReadonlyMap<number, Uint16Array>, filter_count: number): number[] {
  const numbers: number[] = [];
  for (const [stretch, marks] of marked) {
    marks.forEach((mark, place) => {
      if (mark === filter_count) numbers.push(numberAt(stretch, place));
    });
  }
  return numbers;
}

function listNumbers({ connection, tenant }: Search, layer: LayerNumber): number[] {
  return connection
    .statement<{ number: number }>(
      'SELECT number FROM search_documents WHERE tenant = ? AND layer = ?',
    )
    .all(tenant, layer)
    .map(({ number }) => number);
}

/** Merges the first results of the layers. Each layer is read only up to the last result so far. */
function firstOfAll(
  search: Search,
  members: readonly Members[],
  { scope, top_k }: SearchQuery,
): Found[] {
  const { connection, tenant } = search;
  const after = scope === '' ? '' : `${scope}/`;
  let before = scope === '' ? LAST_ID : `${scope}0`;
  let found = findNamed(search, members, scope);
  for (const each of members) {
    const more = firstById(connection, tenant, each, { after, before }, top_k);
    found = [...found, ...more].sort((a, b) => compareBytes(a.id, b.id)).slice(0, top_k);
    if (found.length === top_k) before = found.at(-1)?.id ?? before;
  }
  return found;
}

/**
 * Returns the artifact whose id is the scope. In the order of ids, other artifacts may be between it and its
 * descendants.
 */
function findNamed(search: Search, members: readonly Members[], scope: string): Found[] {
  if (scope === '') return [];
  return listNamed(search, scope)
    .filter(({ layer, number }) => members.some((each) => each.layer === layer && each.has(number)))
    .map(({ layer, number }) => ({ layer, number, id: scope }));
}
