import type { Tenant } from '@catalog/core/ports/tenant';
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
import type { Connection } from '../connection/connection.ts';

/** No term contains the last code point. */
const LAST_CHARACTER = '\u{10FFFF}';

export function listWords(
  connection: Connection,
  tenant: Tenant,
  request: WordsRequest,
  countHolders: (term: string) => number,
): TermFrequency[] {
  const words =
    request.kind === 'beginning'
      ? wordsToLookUp(request.prefix, walkLonger(connection, tenant, request.prefix))
      : wordsToLookUp(request.word, listNear(connection, tenant, request.word));
  const held = new Map<string, TermFrequency>();
  for (const term of words) {
    const holders = countHolders(term);
    if (holders > 0) held.set(term, { term, holders });
    if (held.size === MAX_LISTED) break;
  }
  return [...held.values()];
}

function* walkLonger(connection: Connection, tenant: Tenant, prefix: string): Generator<string> {
  const longer = connection
    .statement<{ term: string }>(
      'SELECT term FROM search_words WHERE tenant = ? AND term > ? AND term < ? ORDER BY term',
    )
    .iterate(tenant, prefix, prefix + LAST_CHARACTER);
  for (const { term } of longer) yield term;
}

function listNear(connection: Connection, tenant: Tenant, word: string): string[] {
  const trigrams = JSON.stringify(trigramsOf(word));
  const { shortest, longest } = nearLengths(word);
  return connection
    .statement<{ term: string }>(
      `SELECT t.term FROM json_each(?2) shared
       CROSS JOIN search_trigrams t ON t.tenant = ?1 AND t.trigram = shared.value
       WHERE length(t.term) BETWEEN ?4 AND ?5 AND t.term <> ?6
       GROUP BY t.term HAVING count(*) >= ?3 + 0`,
    )
    .all(tenant, trigrams, minSharedTrigrams(word), shortest, longest, word)
    .map(({ term }) => term)
    .filter((term) => mistakesBetween(word, term) !== undefined);
}
