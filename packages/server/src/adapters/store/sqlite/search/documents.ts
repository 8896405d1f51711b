import type { DocumentKey, ScoredDocument, SearchedTerm } from '@catalog/core/ports/search-index';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import { scoreOf } from '@catalog/core/search/bm25';
import type { Connection } from '../connection/connection.ts';
import { impactAt, placeOf, readPostings, stretchOf, type Postings } from './postings.ts';

interface NumberedDocument extends DocumentKey {
  number: number;
}

export function scoreDocuments(
  connection: Connection,
  tenant: Tenant,
  terms: readonly SearchedTerm[],
  documents: readonly DocumentKey[],
): ScoredDocument[] {
  const scored: ScoredDocument[] = [];
  for (const [layer, keys] of Map.groupBy(documents, (document) => document.layer)) {
    const numbered = listNumbers(connection, tenant, layer, keys);
    for (const [stretch, together] of Map.groupBy(numbered, ({ number }) => stretchOf(number))) {
      const postings = readStretch(connection, tenant, layer, stretch, terms);
      for (const { id, number } of together) {
        scored.push({ layer, id, ...scorePlace(terms, postings, placeOf(number)) });
      }
    }
  }
  return scored;
}

function listNumbers(
  connection: Connection,
  tenant: Tenant,
  layer: LayerNumber,
  documents: readonly DocumentKey[],
): NumberedDocument[] {
  return connection
    .statement<NumberedDocument>(
      `SELECT d.layer, d.id, d.number FROM json_each(?3) wanted
       CROSS JOIN search_documents d ON d.tenant = ?1 AND d.layer = ?2 AND d.id = wanted.value`,
    )
    .all(tenant, layer, JSON.stringify(documents.map(({ id }) => id)));
}

function readStretch(
  connection: Connection,
  tenant: Tenant,
  layer: LayerNumber,
  stretch: number,
  terms: readonly SearchedTerm[],
): ReadonlyMap<number, Postings> {
  const rows = connection
    .statement<{ at: number; postings: Uint8Array }>(
      `SELECT term.key AS at, p.postings FROM json_each(?4) term
       CROSS JOIN search_postings p
         ON p.tenant = ?1 AND p.layer = ?2 AND p.term = term.value AND p.stretch = ?3`,
    )
    .all(tenant, layer, stretch, JSON.stringify(terms.map(({ term }) => term)));
  return new Map(rows.map(({ at, postings }) => [at, readPostings(postings)]));
}

function scorePlace(
  terms: readonly SearchedTerm[],
  postings: ReadonlyMap<number, Postings>,
  place: number,
): Pick<ScoredDocument, 'score' | 'matched'> {
  const matched: string[] = [];
  let sum = 0;
  for (const [at, { term, rarity }] of terms.entries()) {
    const held = postings.get(at);
    const impact = held === undefined ? 0 : impactAt(held, place);
    if (impact === 0) continue;
    matched.push(term);
    sum += rarity * impact;
  }
  return { score: scoreOf(sum), matched };
}
