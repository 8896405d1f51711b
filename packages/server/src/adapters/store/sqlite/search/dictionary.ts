import type { Tenant } from '@catalog/core/ports/tenant';
import { isDictionaryWord, trigramsOf } from '@catalog/core/search/near-words';
import type { Connection } from '../connection/connection.ts';

export function learnWords(connection: Connection, tenant: Tenant, terms: readonly string[]): void {
  const words = terms.filter(isDictionaryWord);
  if (words.length === 0) return;
  const added = connection
    .statement<{ term: string }>(
      'INSERT OR IGNORE INTO search_words SELECT ?1, value FROM json_each(?2) RETURNING term',
    )
    .all(tenant, JSON.stringify(words));
  if (added.length === 0) return;
  // Sorted by key, so that adjacent rows are written together.
  const trigrams = added
    .flatMap(({ term }) => trigramsOf(term).map((trigram) => trigram + term))
    .sort();
  connection
    .statement(
      `INSERT INTO search_trigrams
       SELECT ?1, substr(value, 1, 3), substr(value, 4) FROM json_each(?2)`,
    )
    .run(tenant, JSON.stringify(trigrams));
}

export function forgetWords(
  connection: Connection,
  tenant: Tenant,
  terms: readonly string[],
): void {
  for (const term of terms.filter(isDictionaryWord)) {
    if (isHeld(connection, tenant, term)) continue;
    connection
      .statement('DELETE FROM search_words WHERE tenant = ? AND term = ?')
      .run(tenant, term);
    connection
      .statement(
        `DELETE FROM search_trigrams WHERE tenant = ?1 AND term = ?2
           AND trigram IN (SELECT value FROM json_each(?3))`,
      )
      .run(tenant, term, JSON.stringify(trigramsOf(term)));
  }
}

function isHeld(connection: Connection, tenant: Tenant, term: string): boolean {
  const held = connection
    .statement(
      `SELECT 1 FROM search_layers l CROSS JOIN search_postings p
         ON p.tenant = ?1 AND p.layer = l.layer AND p.term = ?2 WHERE l.tenant = ?1
       UNION ALL SELECT 1 FROM domain_postings WHERE tenant = ?1 AND term = ?2 LIMIT 1`,
    )
    .get(tenant, term);
  return held !== undefined;
}
