import type { Tenant } from '@catalog/core/ports/tenant';
import {
  leastShared,
  mistakesBetween,
  nearLengths,
  trigramsOf,
} from '@catalog/core/search/near-words';
import { MOST_LISTED, type HeldTerm, type WordsAsked } from '@catalog/core/search/weigh-query';
import type { Connection } from './connection.ts';

/** Above every term that begins so: no term contains the last code point. */
const LAST_CHARACTER = '\u{10FFFF}';

/** Words of the tenant's dictionary that somebody in a view holds. */
export function listWords(
  connection: Connection,
  tenant: Tenant,
  asked: WordsAsked,
  countHolders: (term: string) => number,
): HeldTerm[] {
  const held: HeldTerm[] = [];
  for (const { term } of walkWords(connection, tenant, asked)) {
    const isOther = asked.kind === 'near' && mistakesBetween(asked.word, term) === undefined;
    const holders = isOther ? 0 : countHolders(term);
    if (holders > 0) held.push({ term, holders });
    if (held.length === MOST_LISTED) break;
  }
  return held;
}

function walkWords(
  connection: Connection,
  tenant: Tenant,
  asked: WordsAsked,
): Iterable<{ term: string }> {
  if (asked.kind === 'beginning') {
    return connection
      .statement<{ term: string }>(
        'SELECT term FROM search_words WHERE tenant = ? AND term >= ? AND term < ? ORDER BY term',
      )
      .iterate(tenant, asked.prefix, asked.prefix + LAST_CHARACTER);
  }
  const trigrams = JSON.stringify(trigramsOf(asked.word));
  const { shortest, longest } = nearLengths(asked.word);
  return connection
    .statement<{ term: string }>(
      `SELECT t.term FROM json_each(?2) shared
       CROSS JOIN search_trigrams t ON t.tenant = ?1 AND t.trigram = shared.value
       WHERE length(t.term) BETWEEN ?4 AND ?5
       GROUP BY t.term HAVING count(*) >= ?3 + 0`,
    )
    .all(tenant, trigrams, leastShared(asked.word), shortest, longest);
}
