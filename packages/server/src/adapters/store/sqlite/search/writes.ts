import type { SearchDocument } from '@catalog/core/ports/search-index';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import { documentFilters, documentTerms } from '@catalog/core/search/document-terms';
import type { Connection, Run } from '../connection/connection.ts';
import { readJson, type JsonText } from '../connection/json-column.ts';
import { forgetWords, learnWords } from './dictionary.ts';
import { languageFor } from './indexing.ts';
import {
  bytesOf,
  mergePostings,
  placeOf,
  readPostings,
  stretchOf,
  toPosting,
  type Postings,
} from './postings.ts';
import { inSteps } from '../connection/steps.ts';

interface LayerKey {
  tenant: Tenant;
  layer: LayerNumber;
}

export async function putDocuments(
  run: Run,
  shelf: LayerKey,
  documents: readonly SearchDocument[],
): Promise<void> {
  const changes: Changes = new Map();
  let fresh = Infinity;
  const latest = [...new Map(documents.map((document) => [document.id, document])).values()];
  await inSteps(run, latest, (connection, some) => {
    const language = languageFor(connection, shelf.tenant);
    const row = getLayer(connection, shelf);
    fresh = Math.min(fresh, row.next_number);
    for (const document of some) {
      const old = row.documents === 0 ? undefined : getDocument(connection, shelf, document.id);
      if (old === undefined) row.documents += 1;
      else removeTerms(changes, old);
      const number = old?.number ?? row.next_number++;
      const terms = documentTerms(document, language);
      for (const filter of documentFilters(document, shelf.layer)) terms.set(filter, 1);
      for (const [term, impact] of terms) addChange(changes, term, number, impact);
      if (old === undefined) putDocument(connection, shelf, number, document.id);
      putTerms(connection, shelf, number, [...terms.keys()]);
    }
    putLayer(connection, shelf, row);
  });
  await applyChanges(run, shelf, changes, fresh);
}

/** Computes the terms of documents again; the documents keep their numbers. */
export async function renewDocuments(
  run: Run,
  shelf: LayerKey,
  documents: readonly SearchDocument[],
): Promise<void> {
  const known = await run((connection) =>
    documents.filter(({ id }) => getDocument(connection, shelf, id) !== undefined),
  );
  await putDocuments(run, shelf, known);
}

export async function removeDocuments(
  run: Run,
  shelf: LayerKey,
  ids: readonly string[],
): Promise<void> {
  const changes: Changes = new Map();
  await inSteps(run, ids, (connection, some) => {
    const row = getLayer(connection, shelf);
    for (const id of some) {
      const old = getDocument(connection, shelf, id);
      if (old === undefined) continue;
      removeTerms(changes, old);
      row.documents -= 1;
      deleteDocument(connection, shelf, old.number);
    }
    putLayer(connection, shelf, row);
  });
  await applyChanges(run, shelf, changes, Infinity);
}

/** Changes by term: document numbers with the new impact in the low sixteen bits. Impact 0 removes a document. */
type Changes = Map<string, number[]>;

const IMPACT_VALUES = 0x10000;

function addChange(changes: Changes, term: string, number: number, impact: number): void {
  const change = number * IMPACT_VALUES + impact;
  const known = changes.get(term);
  if (known === undefined) changes.set(term, [change]);
  else known.push(change);
}

function removeTerms(changes: Changes, { number, terms }: DocumentRow): void {
  for (const term of readJson(terms)) addChange(changes, term, number, 0);
}

/**
 * Writes changed postings in key order, so that adjacent rows are written together. Documents from number `fresh` on
 * are new and are appended.
 */
async function applyChanges(
  run: Run,
  shelf: LayerKey,
  changes: Changes,
  fresh: number,
): Promise<void> {
  await inSteps(run, [...changes.keys()].sort(), (connection, terms) => {
    const emptied: string[] = [];
    for (const term of terms) {
      const sorted = (changes.get(term) ?? []).sort((a, b) => a - b);
      for (let start = 0, end = 0; start < sorted.length; start = end) {
        const stretch = stretchOfChange(sorted[start]);
        while (end < sorted.length && stretchOfChange(sorted[end]) === stretch) end += 1;
        const postings = toPostings(sorted.slice(start, end));
        const key = [shelf.tenant, shelf.layer, term, stretch] as const;
        if ((sorted[start] ?? 0) >= fresh * IMPACT_VALUES) appendTo(connection, key, postings);
        else if (mergeInto(connection, key, postings) === 0) emptied.push(term);
      }
    }
    const isGiven = (term: string): boolean =>
      changes.get(term)?.some((change) => change % IMPACT_VALUES > 0) === true;
    learnWords(connection, shelf.tenant, terms.filter(isGiven));
    forgetWords(connection, shelf.tenant, emptied);
  });
}

function stretchOfChange(change = 0): number {
  return stretchOf(Math.floor(change / IMPACT_VALUES));
}

/**
 * Converts changes to postings. If a document lost a term and got it again, both changes are kept, the removal first.
 */
function toPostings(changes: readonly number[]): Postings {
  return Uint32Array.from(changes, (change) =>
    toPosting(placeOf(Math.floor(change / IMPACT_VALUES)), change % IMPACT_VALUES),
  );
}

type RowKey = readonly [tenant: Tenant, layer: LayerNumber, term: string, stretch: number];

/** Appends postings with one statement, which dominates the cost of a large ingest. */
function appendTo(connection: Connection, key: RowKey, postings: Postings): void {
  connection
    .statement(
      `INSERT INTO search_postings VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET postings = CAST(postings || excluded.postings AS BLOB)`,
    )
    .run(...key, bytesOf(postings));
}

function mergeInto(connection: Connection, key: RowKey, changes: Postings): number {
  const where = 'tenant = ?1 AND layer = ?2 AND term = ?3 AND stretch = ?4';
  const row = connection
    .statement<{ postings: Uint8Array }>(`SELECT postings FROM search_postings WHERE ${where}`)
    .get(...key);
  const known = row === undefined ? new Uint32Array() : readPostings(row.postings);
  const merged = mergePostings(known, changes);
  if (merged.length === 0) {
    connection.statement(`DELETE FROM search_postings WHERE ${where}`).run(...key);
  } else {
    connection
      .statement('INSERT OR REPLACE INTO search_postings VALUES (?, ?, ?, ?, ?)')
      .run(...key, bytesOf(merged));
  }
  return merged.length;
}

interface LayerRow {
  documents: number;
  next_number: number;
}

function getLayer(connection: Connection, { tenant, layer }: LayerKey): LayerRow {
  const row = connection
    .statement<LayerRow>(
      'SELECT documents, next_number FROM search_layers WHERE tenant = ? AND layer = ?',
    )
    .get(tenant, layer);
  return row ?? { documents: 0, next_number: 0 };
}

function putLayer(connection: Connection, { tenant, layer }: LayerKey, row: LayerRow): void {
  connection
    .statement('INSERT OR REPLACE INTO search_layers VALUES (?, ?, ?, ?)')
    .run(tenant, layer, row.documents, row.next_number);
}

interface DocumentRow {
  number: number;
  terms: JsonText<string[]>;
}

function getDocument(
  connection: Connection,
  { tenant, layer }: LayerKey,
  id: string,
): DocumentRow | undefined {
  return connection
    .statement<DocumentRow>(
      `SELECT d.number, t.terms FROM search_documents d
       CROSS JOIN search_terms t USING (tenant, layer, number)
       WHERE d.tenant = ? AND d.layer = ? AND d.id = ?`,
    )
    .get(tenant, layer, id);
}

function putDocument(
  connection: Connection,
  { tenant, layer }: LayerKey,
  number: number,
  id: string,
): void {
  connection
    .statement('INSERT INTO search_documents VALUES (?, ?, ?, ?)')
    .run(tenant, layer, number, id);
}

function putTerms(
  connection: Connection,
  { tenant, layer }: LayerKey,
  number: number,
  terms: readonly string[],
): void {
  connection
    .statement('INSERT OR REPLACE INTO search_terms VALUES (?, ?, ?, ?)')
    .run(tenant, layer, number, JSON.stringify(terms));
}

function deleteDocument(connection: Connection, { tenant, layer }: LayerKey, number: number): void {
  for (const table of ['search_documents', 'search_terms']) {
    connection
      .statement(`DELETE FROM ${table} WHERE tenant = ? AND layer = ? AND number = ?`)
      .run(tenant, layer, number);
  }
}
