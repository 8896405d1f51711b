import type { SearchDocument } from '@catalog/core/ports/search-index';
import type { Tenant } from '@catalog/core/ports/tenant';
import { documentFilters, documentTerms } from '@catalog/core/search/document-terms';
import { batches } from './batches.ts';
import type { Queries } from './queries.ts';
import { termKey } from './search-terms.ts';

/** Whose documents are written. */
interface Shelf {
  tenant: Tenant;
  layer: number;
}

/** Words of one document at most: what a vector of the engine may hold. */
const MOST_WORDS = 16_000;
/** A word of more documents is listed. */
const MOST_UNLISTED = 5_000;

/** Adds or replaces documents: some ten statements, however many they are. */
export async function putDocuments(
  queries: Queries,
  shelf: Shelf,
  documents: readonly SearchDocument[],
): Promise<void> {
  const latest = new Map(documents.map((document) => [document.id, document]));
  for (const some of batches([...latest.values()])) {
    const ids = some.map(({ id }) => id);
    const unheld = await removeSome(queries, shelf, ids);
    await putSome(queries, shelf, some);
    await forgetTerms(queries, shelf.tenant, unheld);
  }
}

export async function removeDocuments(
  queries: Queries,
  shelf: Shelf,
  ids: readonly string[],
): Promise<void> {
  for (const some of batches([...new Set(ids)])) {
    await forgetTerms(queries, shelf.tenant, await removeSome(queries, shelf, some));
  }
}

/** One statement, since a row is written once in each. Answers the terms that nobody holds any more. */
const REMOVE = `
  WITH gone AS (
    DELETE FROM search_documents WHERE tenant = $1 AND layer = $2 AND id = ANY ($3::text[])
    RETURNING doc, terms, impacts
  ), fewer AS MATERIALIZED (
    SELECT u.tid, count(*)::int AS by FROM gone CROSS JOIN unnest(gone.terms) AS u (tid) GROUP BY u.tid
  ), terms_left AS (
    UPDATE search_terms t SET holders = t.holders - fewer.by FROM fewer
    WHERE t.tenant = $1 AND t.tid = fewer.tid RETURNING t.tid, t.holders
  ), frequencies_left AS (
    UPDATE search_frequencies f SET holders = f.holders - fewer.by FROM fewer
    WHERE f.tenant = $1 AND f.tid = fewer.tid AND f.layer = $2 AND f.holders > fewer.by
  ), frequencies_gone AS (
    DELETE FROM search_frequencies f USING fewer
    WHERE f.tenant = $1 AND f.tid = fewer.tid AND f.layer = $2 AND f.holders = fewer.by
  ), postings_gone AS (
    DELETE FROM search_postings p
    USING gone CROSS JOIN unnest(gone.terms) AS u (tid)
      JOIN search_terms t ON t.tenant = $1 AND t.tid = u.tid AND t.listed
    WHERE p.tenant = $1 AND p.tid = u.tid AND p.layer = $2
      AND p.impact = impact_of(gone.impacts, u.tid) AND p.doc = gone.doc
  ), layer_left AS (
    UPDATE search_layers SET documents = documents - (SELECT count(*) FROM gone)
    WHERE tenant = $1 AND layer = $2
  )
  SELECT tid FROM terms_left WHERE holders = 0`;
/** A term keeps its number while a document is put again, so that a search in between still knows it. */
const FORGET_TERMS =
  'DELETE FROM search_terms WHERE tenant = $1 AND tid = ANY ($2::int[]) AND holders = 0';

async function removeSome(
  queries: Queries,
  { tenant, layer }: Shelf,
  ids: readonly string[],
): Promise<number[]> {
  const rows = await queries.rows<{ tid: number }>(REMOVE, tenant, layer, ids);
  return rows.map(({ tid }) => tid);
}

async function forgetTerms(
  queries: Queries,
  tenant: Tenant,
  tids: readonly number[],
): Promise<void> {
  if (tids.length > 0) await queries.run(FORGET_TERMS, tenant, tids);
}

/** A document with everything it is found by. */
interface WeighedDocument {
  id: string;
  /** Impacts by word. */
  words: ReadonlyMap<string, number>;
  filters: readonly string[];
}

function weigh(document: SearchDocument): WeighedDocument {
  const words = documentTerms(document);
  const kept = words.size > MOST_WORDS ? new Map([...words].slice(0, MOST_WORDS)) : words;
  return { id: document.id, words: kept, filters: documentFilters(document).map(termKey) };
}

async function putSome(
  queries: Queries,
  shelf: Shelf,
  documents: readonly SearchDocument[],
): Promise<void> {
  const { tenant, layer } = shelf;
  const weighed = documents.map(weigh);
  const terms = await addTerms(queries, tenant, countTerms(weighed));
  const numbers = await insertDocuments(queries, shelf, weighed, terms);
  await queries.run('SELECT settle_documents()');
  await queries.run(ADD_FREQUENCIES, tenant, layer, ...columnsOf(terms));
  await insertPostings(queries, shelf, weighed, terms, numbers);
  const frequent = [...terms.values()].filter(isTooFrequent).map(({ tid }) => tid);
  if (frequent.length > 0) await queries.run('SELECT list_words($1::int[])', frequent);
  await queries.run(ADD_TO_LAYER, tenant, layer, documents.length);
}

const ADD_FREQUENCIES = `INSERT INTO search_frequencies (tenant, layer, tid, holders)
  SELECT $1, $2, * FROM unnest($3::int[], $4::int[])
  ON CONFLICT (tenant, tid, layer)
    DO UPDATE SET holders = search_frequencies.holders + excluded.holders`;
const ADD_TO_LAYER = `INSERT INTO search_layers (tenant, layer, documents) VALUES ($1, $2, $3)
  ON CONFLICT (tenant, layer) DO UPDATE SET documents = search_layers.documents + excluded.documents`;

/** A term after the write counted it. */
interface CountedTerm {
  term: string;
  tid: number;
  /** Documents of the batch that have it. */
  added: number;
  holders: number;
  listed: boolean;
}

function isTooFrequent({ term, holders, listed }: CountedTerm): boolean {
  // The colon is in no word.
  return !listed && holders > MOST_UNLISTED && !term.includes(':');
}

function columnsOf(terms: ReadonlyMap<string, CountedTerm>): [tids: number[], added: number[]] {
  // In the order of the key, so that neighbouring rows are written together.
  const sorted = [...terms.values()].sort((a, b) => a.tid - b.tid);
  return [sorted.map(({ tid }) => tid), sorted.map(({ added }) => added)];
}

function countTerms(documents: readonly WeighedDocument[]): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (term: string): void => void counts.set(term, (counts.get(term) ?? 0) + 1);
  for (const { words, filters } of documents) {
    for (const word of words.keys()) count(word);
    for (const filter of filters) count(filter);
  }
  return counts;
}

const ADD_HOLDERS = `UPDATE search_terms t SET holders = t.holders + more.by
  FROM unnest($2::text[], $3::int[]) AS more (term, by)
  WHERE t.tenant = $1 AND t.term = more.term
  RETURNING t.term, t.tid, t.holders, t.listed, more.by AS added`;
const ADD_TERMS = `INSERT INTO search_terms (tenant, term, holders)
  SELECT $1, * FROM unnest($2::text[], $3::int[])
  RETURNING term, tid, holders, listed, holders AS added`;

/** Counts terms, and gives those a number that have none. */
async function addTerms(
  queries: Queries,
  tenant: Tenant,
  counts: ReadonlyMap<string, number>,
): Promise<Map<string, CountedTerm>> {
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  const known = await queries.rows<CountedTerm>(
    ADD_HOLDERS,
    tenant,
    sorted.map(([term]) => term),
    sorted.map(([, count]) => count),
  );
  const terms = new Map(known.map((term) => [term.term, term]));
  const missing = sorted.filter(([term]) => !terms.has(term));
  if (missing.length === 0) return terms;
  const added = await queries.rows<CountedTerm>(
    ADD_TERMS,
    tenant,
    missing.map(([term]) => term),
    missing.map(([, count]) => count),
  );
  for (const term of added) terms.set(term.term, term);
  return terms;
}

const INSERT_DOCUMENTS = `
  INSERT INTO search_documents (tenant, layer, id, terms, impacts, contested)
  SELECT $1, $2, added.id, added.terms::int[], added.impacts::sparsevec, EXISTS (
      SELECT 1 FROM heads h WHERE h.tenant = $1 AND h.id = added.id AND h.layer <> $2)
  FROM unnest($3::text[], $4::text[], $5::text[]) AS added (id, terms, impacts)
  RETURNING id, doc`;

/** Answers the number of each document by its id. */
async function insertDocuments(
  queries: Queries,
  { tenant, layer }: Shelf,
  documents: readonly WeighedDocument[],
  terms: ReadonlyMap<string, CountedTerm>,
): Promise<Map<string, number>> {
  const tidOf = (term: string): number => terms.get(term)?.tid ?? 0;
  const rows = await queries.rows<{ id: string; doc: number }>(
    INSERT_DOCUMENTS,
    tenant,
    layer,
    documents.map(({ id }) => id),
    documents.map(
      ({ words, filters }) => `{${[...words.keys(), ...filters].map(tidOf).join(',')}}`,
    ),
    documents.map(({ words }) => {
      const impacts = Array.from(words, ([word, impact]) => `${tidOf(word)}:${impact}`);
      return `{${impacts.join(',')}}/1000000000`;
    }),
  );
  return new Map(rows.map(({ id, doc }) => [id, doc]));
}

const INSERT_POSTINGS = `INSERT INTO search_postings (tenant, layer, tid, impact, doc)
  SELECT $1, $2, * FROM unnest($3::int[], $4::int[], $5::bigint[]) AS p (tid, impact, doc)
  ORDER BY tid, impact DESC, doc`;

async function insertPostings(
  queries: Queries,
  { tenant, layer }: Shelf,
  documents: readonly WeighedDocument[],
  terms: ReadonlyMap<string, CountedTerm>,
  numbers: ReadonlyMap<string, number>,
): Promise<void> {
  const tids: number[] = [];
  const impacts: number[] = [];
  const docs: number[] = [];
  for (const { id, words } of documents) {
    for (const [word, impact] of words) {
      const term = terms.get(word);
      if (term === undefined || !term.listed) continue;
      tids.push(term.tid);
      impacts.push(impact);
      docs.push(numbers.get(id) ?? 0);
    }
  }
  if (tids.length > 0) await queries.run(INSERT_POSTINGS, tenant, layer, tids, impacts, docs);
}
