import type { SearchDocument } from '@catalog/core/ports/search-index';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import { documentFilters, documentTerms } from '@catalog/core/search/document-terms';
import type { SearchLanguage } from '@catalog/core/search/language';
import type { Sql } from '../../shared/sql.ts';
import { batches } from '../pool/batches.ts';
import type { Queries } from '../../shared/queries.ts';
import {
  changeHolders,
  forgetTerms,
  removeSome,
  removeTerms,
  type ChangedTerm,
  type IndexedDocument,
  type LayerKey,
} from './removals.ts';
import { languageFor } from './indexing.ts';
import { termKey } from './terms.ts';

/** Maximum number of words in a vector. */
const MAX_WORDS = 16_000;
/** Number of documents up to which a word needs no postings of its own. */
const MAX_UNLISTED = 5_000;

export async function putDocuments(
  queries: Queries,
  shelf: LayerKey,
  documents: readonly SearchDocument[],
): Promise<void> {
  const latest = new Map(documents.map((document) => [document.id, document]));
  for (const some of batches([...latest.values()])) {
    const ids = some.map(({ id }) => id);
    const unheld = await removeSome(queries, shelf, ids);
    const weighed = await weighSome(queries, shelf, some);
    await putSome(queries, shelf, weighed, insertDocuments);
    await queries.run(ADD_TO_LAYER, shelf.tenant, shelf.layer, some.length);
    await forgetTerms(queries, shelf.tenant, unheld);
  }
}

const LIST_INDEXED: Sql<IndexedDocument & { id: string }> =
  `SELECT id, doc, terms, impacts FROM search_documents
  WHERE tenant = $1 AND layer = $2 AND id = ANY ($3::text[])`;

/** Computes the terms of documents again; the documents keep their numbers. */
export async function renewDocuments(
  queries: Queries,
  shelf: LayerKey,
  documents: readonly SearchDocument[],
): Promise<void> {
  const { tenant, layer } = shelf;
  for (const some of batches(documents)) {
    const ids = some.map(({ id }) => id);
    const rows = await queries.rows(LIST_INDEXED, tenant, layer, ids);
    if (rows.length === 0) continue;
    const numbers = new Map(rows.map(({ id, doc }) => [id, doc]));
    const kept = some.filter(({ id }) => numbers.has(id));
    const unheld = await removeTerms(queries, shelf, rows);
    const weighed = await weighSome(queries, shelf, kept);
    await putSome(queries, shelf, weighed, async (_queries, _shelf, renewed, terms) => {
      await updateDocuments(queries, tenant, renewed, terms, numbers);
      return numbers;
    });
    await forgetTerms(queries, tenant, unheld);
  }
}

export async function removeDocuments(
  queries: Queries,
  shelf: LayerKey,
  ids: readonly string[],
): Promise<void> {
  for (const some of batches([...new Set(ids)])) {
    await forgetTerms(queries, shelf.tenant, await removeSome(queries, shelf, some));
  }
}

interface WeighedDocument {
  id: string;
  words: ReadonlyMap<string, number>;
  filters: readonly string[];
}

async function weighSome(
  queries: Queries,
  { tenant, layer }: LayerKey,
  documents: readonly SearchDocument[],
): Promise<WeighedDocument[]> {
  const language = await languageFor(queries, tenant);
  return documents.map((document) => weigh(document, layer, language));
}

function weigh(
  document: SearchDocument,
  layer: LayerNumber,
  language: SearchLanguage,
): WeighedDocument {
  const words = documentTerms(document, language);
  const kept = words.size > MAX_WORDS ? new Map([...words].slice(0, MAX_WORDS)) : words;
  return { id: document.id, words: kept, filters: documentFilters(document, layer).map(termKey) };
}

async function putSome(
  queries: Queries,
  shelf: LayerKey,
  weighed: readonly WeighedDocument[],
  write: typeof insertDocuments,
): Promise<void> {
  const { tenant, layer } = shelf;
  const terms = await addTerms(queries, tenant, countTerms(weighed));
  const numbers = await write(queries, shelf, weighed, terms);
  await queries.run('SELECT settle_documents()');
  await queries.run(ADD_FREQUENCIES, tenant, layer, ...columnsOf(terms));
  await insertPostings(queries, shelf, weighed, terms, numbers);
  const frequent = [...terms.values()].filter(isTooFrequent).map(({ tid }) => tid);
  if (frequent.length > 0) await queries.run('SELECT list_words($1::int[])', frequent);
}

const ADD_FREQUENCIES = `INSERT INTO search_frequencies (tenant, layer, tid, holders)
  SELECT $1, $2, * FROM unnest($3::int[], $4::int[])
  ON CONFLICT (tenant, tid, layer)
    DO UPDATE SET holders = search_frequencies.holders + excluded.holders`;
const ADD_TO_LAYER = `INSERT INTO search_layers (tenant, layer, documents) VALUES ($1, $2, $3)
  ON CONFLICT (tenant, layer) DO UPDATE SET documents = search_layers.documents + excluded.documents`;

interface CountedTerm extends ChangedTerm {
  term: string;
  added: number;
}

function isTooFrequent({ term, holders, listed }: CountedTerm): boolean {
  // Only other terms, such as those of filters, contain a colon.
  return !listed && holders > MAX_UNLISTED && !term.includes(':');
}

function columnsOf(terms: ReadonlyMap<string, CountedTerm>): [tids: number[], added: number[]] {
  // Sorted by key, so that adjacent rows are written together.
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

const FIND_TERMS: Sql<Pick<CountedTerm, 'term' | 'tid'>> =
  'SELECT term, tid FROM search_terms WHERE tenant = $1 AND term = ANY ($2::text[])';
const ADD_TERMS: Sql<CountedTerm> = `INSERT INTO search_terms (tenant, term, holders)
  SELECT $1, * FROM unnest($2::text[], $3::int[])
  RETURNING term, tid, holders, listed, holders AS added`;

async function addTerms(
  queries: Queries,
  tenant: Tenant,
  counts: ReadonlyMap<string, number>,
): Promise<Map<string, CountedTerm>> {
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  const terms = await countKnown(queries, tenant, new Map(sorted));
  const missing = sorted.filter(([term]) => !terms.has(term));
  if (missing.length === 0) return terms;
  const added = await queries.rows(
    ADD_TERMS,
    tenant,
    missing.map(([term]) => term),
    missing.map(([, count]) => count),
  );
  for (const term of added) terms.set(term.term, term);
  return terms;
}

async function countKnown(
  queries: Queries,
  tenant: Tenant,
  counts: ReadonlyMap<string, number>,
): Promise<Map<string, CountedTerm>> {
  const rows = await queries.rows(FIND_TERMS, tenant, [...counts.keys()]);
  const known = new Map(rows.map(({ tid, term }) => [tid, { term, added: counts.get(term) ?? 0 }]));
  const changes = new Map(Array.from(known, ([tid, { added }]) => [tid, added]));
  const terms = new Map<string, CountedTerm>();
  for (const changed of await changeHolders(queries, tenant, changes)) {
    const { term = '', added = 0 } = known.get(changed.tid) ?? {};
    terms.set(term, { ...changed, term, added });
  }
  return terms;
}

const INSERT_DOCUMENTS: Sql<{ id: string; doc: number }> = `
  INSERT INTO search_documents (tenant, layer, id, terms, impacts, contested)
  SELECT $1, $2, id, terms::int[], impacts::sparsevec, contested
  FROM unnest($3::text[], $4::text[], $5::text[], $6::boolean[]) AS added (id, terms, impacts, contested)
  RETURNING id, doc`;
const LIST_CONTESTED: Sql<{ id: string }> = `SELECT DISTINCT id FROM heads
  WHERE tenant = $1 AND layer <> $2 AND id = ANY ($3::text[])`;

async function insertDocuments(
  queries: Queries,
  { tenant, layer }: LayerKey,
  documents: readonly WeighedDocument[],
  terms: ReadonlyMap<string, CountedTerm>,
): Promise<Map<string, number>> {
  const ids = documents.map(({ id }) => id);
  const others = await queries.rows(LIST_CONTESTED, tenant, layer, ids);
  const contested = new Set(others.map(({ id }) => id));
  const rows = await queries.rows(
    INSERT_DOCUMENTS,
    tenant,
    layer,
    ids,
    ...indexedColumns(documents, terms),
    ids.map((id) => contested.has(id)),
  );
  return new Map(rows.map(({ id, doc }) => [id, doc]));
}

const UPDATE_DOCUMENTS = `
  UPDATE search_documents d SET terms = renewed.terms::int[], impacts = renewed.impacts::sparsevec
  FROM unnest($2::bigint[], $3::text[], $4::text[]) AS renewed (doc, terms, impacts)
  WHERE d.tenant = $1 AND d.doc = renewed.doc`;

async function updateDocuments(
  queries: Queries,
  tenant: Tenant,
  documents: readonly WeighedDocument[],
  terms: ReadonlyMap<string, CountedTerm>,
  numbers: ReadonlyMap<string, number>,
): Promise<void> {
  const docs = documents.map(({ id }) => numbers.get(id) ?? 0);
  await queries.run(UPDATE_DOCUMENTS, tenant, docs, ...indexedColumns(documents, terms));
}

function indexedColumns(
  documents: readonly WeighedDocument[],
  known: ReadonlyMap<string, CountedTerm>,
): [terms: string[], impacts: string[]] {
  const tidOf = (term: string): number => known.get(term)?.tid ?? 0;
  return [
    documents.map(
      ({ words, filters }) => `{${[...words.keys(), ...filters].map(tidOf).join(',')}}`,
    ),
    documents.map(({ words }) => {
      const impacts = Array.from(words, ([word, impact]) => `${tidOf(word)}:${impact}`);
      return `{${impacts.join(',')}}/1000000000`;
    }),
  ];
}

const INSERT_POSTINGS = `INSERT INTO search_postings (tenant, layer, tid, impact, doc)
  SELECT $1, $2, * FROM unnest($3::int[], $4::int[], $5::bigint[]) AS p (tid, impact, doc)
  ORDER BY tid, impact DESC, doc`;

async function insertPostings(
  queries: Queries,
  { tenant, layer }: LayerKey,
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
