import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Sql } from '../../shared/sql.ts';
import { jsonText } from '../pool/json-text.ts';
import type { Queries } from '../../shared/queries.ts';

export interface LayerKey {
  tenant: Tenant;
  layer: LayerNumber;
}

// Uses no joins: if the statistics of the planner are from a time when a table was empty, a join would compare all
// pairs of rows.
const REMOVE_DOCUMENTS: Sql<IndexedDocument> = `DELETE FROM search_documents
  WHERE tenant = $1 AND layer = $2 AND id = ANY ($3::text[]) RETURNING doc, terms, impacts`;

export interface IndexedDocument {
  doc: number;
  terms: readonly number[];
  /** Vector in the text format of PostgreSQL: `{number:impact,...}/dimensions`. */
  impacts: string;
}

/** Returns the terms that no remaining document has. */
export async function removeSome(
  queries: Queries,
  shelf: LayerKey,
  ids: readonly string[],
): Promise<number[]> {
  const { tenant, layer } = shelf;
  const gone = await queries.rows(REMOVE_DOCUMENTS, tenant, layer, ids);
  if (gone.length === 0) return [];
  await queries.run(TAKE_FROM_LAYER, tenant, layer, gone.length);
  return removeTerms(queries, shelf, gone);
}

/** Returns the terms that no remaining document has. */
export async function removeTerms(
  queries: Queries,
  shelf: LayerKey,
  gone: readonly IndexedDocument[],
): Promise<number[]> {
  const { tenant } = shelf;
  const fewer = new Map<number, number>();
  for (const { terms } of gone) {
    for (const tid of terms) fewer.set(tid, (fewer.get(tid) ?? 0) + 1);
  }
  const changes = new Map(Array.from(fewer, ([tid, by]) => [tid, -by]));
  const left = await changeHolders(queries, tenant, changes);
  await lowerFrequencies(queries, shelf, fewer);
  const listed = new Set(left.filter((term) => term.listed).map(({ tid }) => tid));
  await removePostings(queries, shelf, gone, listed);
  return left.filter(({ holders }) => holders === 0).map(({ tid }) => tid);
}

/**
 * Removes unused terms. A term keeps its number while a document is replaced, so that concurrent searches still find
 * the term.
 */
const FORGET_TERMS =
  'DELETE FROM search_terms WHERE tenant = $1 AND tid = ANY ($2::int[]) AND holders = 0';

export async function forgetTerms(
  queries: Queries,
  tenant: Tenant,
  tids: readonly number[],
): Promise<void> {
  if (tids.length > 0) await queries.run(FORGET_TERMS, tenant, tids);
}

const CHANGE_HOLDERS: Sql<ChangedTerm> = `UPDATE search_terms SET holders = holders + ($3::jsonb ->> tid::text)::int
  WHERE tenant = $1 AND tid = ANY ($2::int[]) RETURNING tid, holders, listed`;

export interface ChangedTerm {
  tid: number;
  holders: number;
  listed: boolean;
}

export async function changeHolders(
  queries: Queries,
  tenant: Tenant,
  changes: ReadonlyMap<number, number>,
): Promise<ChangedTerm[]> {
  if (changes.size === 0) return [];
  return queries.rows(CHANGE_HOLDERS, tenant, ...numbered(changes));
}

// Deletes rows whose count would become zero, without updating them first.
const REMOVE_FREQUENCIES = `DELETE FROM search_frequencies
  WHERE tenant = $1 AND layer = $2 AND tid = ANY ($3::int[])
    AND holders = ($4::jsonb ->> tid::text)::int`;
const LOWER_FREQUENCIES = `UPDATE search_frequencies
  SET holders = holders - ($4::jsonb ->> tid::text)::int
  WHERE tenant = $1 AND layer = $2 AND tid = ANY ($3::int[])`;

async function lowerFrequencies(
  queries: Queries,
  { tenant, layer }: LayerKey,
  fewer: ReadonlyMap<number, number>,
): Promise<void> {
  const columns = numbered(fewer);
  await queries.run(REMOVE_FREQUENCIES, tenant, layer, ...columns);
  await queries.run(LOWER_FREQUENCIES, tenant, layer, ...columns);
}

function numbered(numbers: ReadonlyMap<number, number>): [tids: number[], by_tid: string] {
  const tids = [...numbers.keys()].sort((a, b) => a - b);
  return [tids, jsonText(Object.fromEntries(numbers))];
}

/** Deletes postings by their full keys, which are looked up first. */
const REMOVE_POSTINGS = `DELETE FROM search_postings WHERE tenant = $1 AND ctid = ANY (ARRAY(
  SELECT p.place FROM unnest($3::int[], $4::int[], $5::bigint[]) AS gone (tid, impact, doc)
    CROSS JOIN LATERAL (SELECT p.ctid AS place FROM search_postings p
      WHERE p.tenant = $1 AND p.tid = gone.tid AND p.layer = $2
        AND p.impact = gone.impact AND p.doc = gone.doc OFFSET 0) p))`;

async function removePostings(
  queries: Queries,
  { tenant, layer }: LayerKey,
  documents: readonly IndexedDocument[],
  listed: ReadonlySet<number>,
): Promise<void> {
  const tids: number[] = [];
  const impacts: number[] = [];
  const docs: number[] = [];
  for (const { doc, terms, impacts: text } of documents) {
    const words = terms.filter((tid) => listed.has(tid));
    if (words.length === 0) continue;
    const impactOf = readImpacts(text);
    for (const tid of words) {
      tids.push(tid);
      impacts.push(impactOf.get(tid) ?? 0);
      docs.push(doc);
    }
  }
  if (tids.length > 0) await queries.run(REMOVE_POSTINGS, tenant, layer, tids, impacts, docs);
}

function readImpacts(text: string): Map<number, number> {
  return new Map(
    Array.from(text.matchAll(/(\d+):([^,}]+)/g), ([, tid, impact]) => [
      Number(tid),
      Number(impact),
    ]),
  );
}

const TAKE_FROM_LAYER =
  'UPDATE search_layers SET documents = documents - $3 WHERE tenant = $1 AND layer = $2';
