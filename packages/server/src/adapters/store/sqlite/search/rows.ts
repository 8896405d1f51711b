import type { SearchQuery } from '@catalog/core/ports/search-index';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { LayerStack } from '@catalog/core/ports/versions';
import { queryFilters } from '@catalog/core/search/document-terms';
import type { Connection } from '../connection/connection.ts';
import type { PostingsCache, TermPostings } from './postings-cache.ts';
import {
  placeIn,
  placeOf,
  readPostings,
  STRETCH_SIZE,
  stretchOf,
  toPosting,
  type Postings,
} from './postings.ts';
import type { SearchView } from './view.ts';

export interface Search {
  connection: Connection;
  tenant: Tenant;
  layers: LayerStack;
  view: SearchView;
  /** Cache of postings; undefined inside a transaction. */
  kept: PostingsCache | undefined;
}

export interface StretchRows {
  stretch: number;
  /** Postings of the query words; `word` is the position in the query. */
  words: { word: number; postings: Postings }[];
  filters: Postings[];
}

export interface SearchRows {
  filter_count: number;
  holders: number[];
  byLayer: ReadonlyMap<number, ReadonlyMap<number, StretchRows>>;
}

export function readRows(search: Search, words: readonly string[], query: SearchQuery): SearchRows {
  const filters = queryFilters(query);
  if (query.scope !== '') filters.push(`in:${query.scope}`);
  const holders = words.map(() => 0);
  const byLayer = new Map<number, Map<number, StretchRows>>();
  for (const { layer, term, postings: held } of listPostings(search, [...words, ...filters])) {
    for (const { stretch, postings } of held) {
      const into = stretchIn(byLayer, layer, stretch);
      if (term >= words.length) {
        into.filters.push(postings);
        continue;
      }
      into.words.push({ word: term, postings });
      holders[term] = (holders[term] ?? 0) + postings.length;
    }
  }
  // A scope also contains the artifact whose id is the scope.
  if (query.scope !== '') {
    for (const { layer, number } of listNamed(search, query.scope)) {
      const into = stretchIn(byLayer, layer, stretchOf(number));
      into.filters.push(Uint32Array.of(toPosting(placeOf(number), 1)));
    }
  }
  return { filter_count: filters.length, holders, byLayer };
}

function listPostings(
  { connection, tenant, layers, kept }: Search,
  terms: readonly string[],
): { layer: LayerNumber; term: number; postings: TermPostings }[] {
  const wanted = layers.flatMap((layer) =>
    terms.map((name, term) => {
      const known = kept?.get({ tenant, layer }, name);
      return { layer, name, term, known, postings: known ?? [] };
    }),
  );
  const unread = wanted.filter(({ known }) => known === undefined);
  if (unread.length === 0) return wanted;
  const rows = connection
    .statement<{ at: number; stretch: number; postings: Uint8Array }>(
      `SELECT wanted.key AS at, p.stretch, p.postings FROM json_each(?2) wanted
       CROSS JOIN search_postings p
         ON p.tenant = ?1 AND p.layer = wanted.value ->> 0 AND p.term = wanted.value ->> 1`,
    )
    .all(tenant, JSON.stringify(unread.map(({ layer, name }) => [layer, name])));
  for (const [at, ofTerm] of Map.groupBy(rows, (row) => row.at)) {
    const read = unread[at];
    if (read === undefined) continue;
    read.postings = ofTerm.map(({ stretch, postings: bytes }) => ({
      stretch,
      postings: readPostings(bytes),
    }));
  }
  for (const { layer, name, postings } of unread) kept?.put({ tenant, layer }, name, postings);
  return wanted;
}

export function listNamed(
  { connection, tenant, layers }: Search,
  id: string,
): { layer: LayerNumber; number: number }[] {
  return connection
    .statement<{ layer: LayerNumber; number: number }>(
      `SELECT d.layer, d.number FROM json_each(?2) visible
       CROSS JOIN search_documents d ON d.tenant = ?1 AND d.layer = visible.value AND d.id = ?3`,
    )
    .all(tenant, JSON.stringify(layers), id);
}

function stretchIn(
  byLayer: Map<number, Map<number, StretchRows>>,
  layer: LayerNumber,
  stretch: number,
): StretchRows {
  const stretches = byLayer.get(layer) ?? new Map<number, StretchRows>();
  const known = stretches.get(stretch);
  if (known !== undefined) return known;
  const added = { stretch, words: [], filters: [] };
  byLayer.set(layer, stretches.set(stretch, added));
  return added;
}

/** Shared by all searches, because each is synchronous. */
const marks = new Uint16Array(STRETCH_SIZE);

/** Counts matching filters per document. The result is valid until the next call. */
export function countFilters({ filters }: StretchRows): Uint16Array {
  marks.fill(0);
  for (const postings of filters) {
    for (const posting of postings) {
      const place = placeIn(posting);
      marks[place] = (marks[place] ?? 0) + 1;
    }
  }
  return marks;
}
