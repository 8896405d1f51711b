import type { Tenant } from '@catalog/core/ports/tenant';
import type { LayerStack } from '@catalog/core/ports/versions';
import {
  minSharedTrigrams,
  mistakesBetween,
  nearLengths,
  trigramsOf,
  wordsToLookUp,
} from '@catalog/core/search/near-words';
import {
  MAX_LISTED,
  type TermFrequency,
  type WordsRequest,
} from '@catalog/core/search/weigh-query';
import type { Queries } from '../../shared/queries.ts';
import type { Sql } from '../../shared/sql.ts';

/** No term contains the last code point. */
const LAST_CHARACTER = '\u{10FFFF}';

const NEAR: Sql<{ term: string }> = `SELECT term FROM search_trigrams
  WHERE tenant = $1 AND trigram = ANY ($2::text[]) AND length(term) BETWEEN $4 AND $5
  GROUP BY term HAVING count(*) >= $3`;

export interface WordStatements<Held extends TermFrequency> {
  /** Selects words from `$3` and before `$4` in byte order, up to `$5`. */
  beginning: Sql<Held>;
  held: Sql<Held>;
}

/**
 * Lists words that are similar or start the same. Checks visibility only for similar words, not for all that share a
 * trigram.
 */
export async function listWords<Held extends TermFrequency>(
  queries: Queries,
  tenant: Tenant,
  layers: LayerStack,
  statements: WordStatements<Held>,
  request: WordsRequest,
): Promise<Held[]> {
  if (request.kind === 'beginning') {
    const { prefix } = request;
    const before = prefix + LAST_CHARACTER;
    return queries.rows(statements.beginning, tenant, layers, prefix, before, MAX_LISTED);
  }
  const { word } = request;
  const { shortest, longest } = nearLengths(word);
  const rows = await queries.rows(
    NEAR,
    tenant,
    trigramsOf(word),
    minSharedTrigrams(word),
    shortest,
    longest,
  );
  const near = rows
    .map(({ term }) => term)
    .filter((term) => mistakesBetween(word, term) !== undefined);
  return queries.rows(statements.held, tenant, layers, [...wordsToLookUp(word, near)]);
}
