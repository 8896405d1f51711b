import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { SearchQuery } from '@catalog/core/ports/search-index';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { LayerStack } from '@catalog/core/ports/versions';
import { queryFilters } from '@catalog/core/search/document-terms';
import { FIRST_KIND } from '@catalog/core/search/index-kind';
import type { WordsRequest } from '@catalog/core/search/weigh-query';
import type { Queries } from '../../shared/queries.ts';
import type { Sql } from '../../shared/sql.ts';
import { listWords, type WordStatements } from './vocabulary.ts';

export interface KnownTerm {
  term: string;
  tid: number;
  /** Number of documents in the view with the term. */
  holders: number;
  /** Number of documents in the tenant with the term. */
  everywhere: number;
  /** True if the term has its own postings, ordered by layer and impact. */
  listed: boolean;
}

export interface TermStatistics {
  /** Number of documents in the view, including hidden ones. */
  documents: number;
  terms: ReadonlyMap<string, KnownTerm>;
  /** Names of the term extractions that the documents use (`core/search/index-kind`). */
  kinds: readonly string[];
}

export interface Filters {
  required: readonly KnownTerm[];
  scope: string;
  /** Term that all documents below the scope have; undefined without a scope or if there are none. */
  inside: KnownTerm | undefined;
}

// CASE instead of `coalesce`, with which the planner would not use indexes under row-level security.
const TID = 'CASE WHEN t.tid IS NULL THEN 0 ELSE t.tid END';
const HOLDERS = `(SELECT coalesce(sum(f.holders), 0)::int AS holders FROM search_frequencies f
    WHERE f.tenant = $1 AND f.tid = ${TID} AND f.layer = ANY ($2::int[]) OFFSET 0)`;
/** A term that occurs only in invisible layers is treated like an unknown term, at the same cost. */
const HELD = `SELECT t.term, t.tid, t.holders AS everywhere, t.listed, f.holders
    FROM unnest($3::text[]) AS asked (term)
      LEFT JOIN LATERAL (SELECT * FROM search_terms t
        WHERE t.tenant = $1 AND t.term = asked.term OFFSET 0) t ON true
      CROSS JOIN LATERAL ${HOLDERS} f
    WHERE f.holders > 0`;
const READ: Sql<ReadRow> = `
  SELECT view.documents, view.kinds, t.term, t.tid, t.everywhere, t.listed, t.holders
  FROM (SELECT coalesce(sum(documents), 0)::int AS documents,
          (SELECT kinds FROM search_indexing WHERE tenant = $1) AS kinds
        FROM search_layers WHERE tenant = $1 AND layer = ANY ($2::int[])) view
  LEFT JOIN (${HELD}) t ON true`;

type ReadRow = { documents: number; kinds: string[] | null } & (
  | KnownTerm
  | { [Name in keyof KnownTerm]: null }
);

const WORDS: WordStatements<KnownTerm> = {
  beginning: `
    SELECT t.term, t.tid, t.holders AS everywhere, t.listed, f.holders
    FROM search_terms t CROSS JOIN LATERAL ${HOLDERS} f
    WHERE t.tenant = $1 AND t.term >= $3 AND t.term < $4 AND is_word(t.term) AND f.holders > 0
    ORDER BY t.term LIMIT $5`,
  held: HELD,
};

export function listKnownWords(
  queries: Queries,
  tenant: Tenant,
  layers: LayerStack,
  request: WordsRequest,
): Promise<KnownTerm[]> {
  return listWords(queries, tenant, layers, WORDS, request);
}

export async function readStatistics(
  queries: Queries,
  tenant: Tenant,
  layers: LayerStack,
  terms: readonly string[],
): Promise<TermStatistics> {
  const rows = await queries.rows(READ, tenant, layers, terms);
  const known = new Map<string, KnownTerm>();
  for (const row of rows) if (row.term !== null) known.set(row.term, row);
  const [row] = rows;
  return { documents: row?.documents ?? 0, kinds: row?.kinds ?? [FIRST_KIND], terms: known };
}

export function filterTerms(query: SearchQuery): string[] {
  const filters = queryFilters(query);
  if (query.scope !== '') filters.push(`in:${query.scope}`);
  return filters.map(termKey);
}

export function findFilters({ terms }: TermStatistics, query: SearchQuery): Filters | undefined {
  const wanted = queryFilters(query).map((filter) => terms.get(termKey(filter)));
  const required = wanted.filter((term) => term !== undefined);
  const { scope } = query;
  // Stored strings never contain a zero byte, and PostgreSQL rejects one in a parameter.
  if (required.length < wanted.length || scope.includes('\0')) return undefined;
  return { required, scope, inside: scope === '' ? undefined : terms.get(termKey(`in:${scope}`)) };
}

/** Lists the terms of filters. Empty if the scope has no subdomains. */
export function listFilters({ required, scope, inside }: Filters): readonly KnownTerm[] {
  if (scope === '') return required;
  return inside === undefined ? [] : [...required, inside];
}

export function numbersOf(terms: readonly KnownTerm[]): number[] {
  return terms.map(({ tid }) => tid);
}

/**
 * Maximum length of a key. Longer keys and keys with a zero byte are hashed, because tags and paths may contain
 * anything.
 */
const MAX_KEY_LENGTH = 256;

export function termKey(term: string): string {
  if (term.length <= MAX_KEY_LENGTH && !term.includes('\0')) return term;
  return `${term.slice(0, term.indexOf(':') + 1)}${bytesHash(term)}`;
}
