import type { DocumentKey } from '@catalog/core/ports/search-index';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { VectorHit, VectorQuery } from '@catalog/core/ports/vector-index';
import { cosineOfSteps } from '@catalog/core/search/round-vector';
import type { Connection } from '../connection/connection.ts';
import { listMembers } from '../search/browse.ts';
import type { Members } from '../search/by-id.ts';
import { keepBest, type BestCandidates } from '../search/candidates.ts';
import { resolveBestIds } from '../search/resolve-best-ids.ts';
import type { Search } from '../search/rows.ts';
import type { Mirror, VectorMirrors } from './mirrors.ts';
import {
  getVectorSet,
  placeOn,
  readSteps,
  splitPlace,
  sumProducts,
  type KnownModel,
  type StepVector,
} from './rows.ts';
import { getNumber } from './writes.ts';

export interface StepVectorQuery extends Omit<VectorQuery, 'vector'> {
  known: KnownModel;
  asked: StepVector;
}

export type VectorAnswer =
  | { hits: VectorHit[] }
  | { hits?: undefined; known: KnownModel; unread: readonly number[] };

export function searchVectors(
  search: Search,
  mirrors: VectorMirrors,
  { known, asked: queryVector, ...query }: StepVectorQuery,
): VectorAnswer {
  const { connection } = search;
  const shelves = listVectorSets(search, known);
  const unread = shelves.map(({ shelf }) => shelf).filter((shelf) => !mirrors.get(shelf));
  if (unread.length > 0) return { known, unread };
  const members = listMembers(search, { ...query, query: '' });
  const best = keepBest(query.top_k);
  // Higher layers come last: of ties in lower layers, fewer must be kept.
  for (const { layer, rank, shelf } of shelves.toReversed()) {
    const shown = members.find((each) => each.layer === layer);
    if (shown === undefined) continue;
    offerVectorSet({ connection, mirrors, shelf, asked: queryVector, shown, rank, best });
  }
  const named = resolveBestIds(search, best.list(), query.top_k);
  return {
    hits: named.map(({ layer, id, sum }) => ({ layer, id, similarity: cosineOfSteps(sum) })),
  };
}

/** Lists the vector sets of a view, lowest precedence first. */
export function listVectorSets(
  { connection, tenant, layers }: Search,
  { model }: KnownModel,
): { layer: LayerNumber; rank: number; shelf: number }[] {
  return layers.flatMap((layer, rank) => {
    const shelf = getVectorSet(connection, { tenant, layer, model });
    return shelf === undefined ? [] : [{ layer, rank, shelf }];
  });
}

interface Offering {
  connection: Connection;
  mirrors: VectorMirrors;
  shelf: number;
  asked: StepVector;
  shown: Members;
  rank: number;
  best: BestCandidates;
}

/** Below this share of the documents, requested documents are multiplied one by one. */
const SPARSE_FACTOR = 8;

function offerVectorSet({
  connection,
  mirrors,
  shelf,
  asked: queryVector,
  shown,
  rank,
  best,
}: Offering): void {
  const offer = (sum: number, number: number): number => {
    if (shown.has(number)) best.offer(sum, rank, number);
    return best.least();
  };
  const mirror = mirrors.get(shelf);
  if (mirror === undefined || mirror === 'too-large') {
    offerRows(connection, shelf, queryVector, offer);
    return;
  }
  mirror.ask(queryVector);
  offerMirror(mirror, shown, best.least(), offer);
}

/** Offers the documents of a vector set. The query vector must be set. The result may contain hidden documents. */
export function offerMirror(
  mirror: Mirror,
  shown: Members,
  least: number,
  offer: (sum: number, number: number) => number,
): void {
  if (shown.count * SPARSE_FACTOR > mirror.size()) {
    mirror.offerAll(least, offer);
    return;
  }
  for (const number of shown.list()) {
    const sum = mirror.multiplyOne(number);
    if (sum !== undefined) offer(sum, number);
  }
}

function offerRows(
  connection: Connection,
  shelf: number,
  queryVector: StepVector,
  offer: (sum: number, number: number) => void,
): void {
  const rows = connection
    .statement<{ place: number; vector: Uint8Array }>(
      'SELECT place, vector FROM vectors WHERE place >= ? AND place < ?',
    )
    .iterate(placeOn(shelf, 0), placeOn(shelf + 1, 0));
  for (const { place, vector } of rows) {
    offer(sumProducts(queryVector, readSteps(vector)), splitPlace(place).number);
  }
}

export function compareVectors(
  connection: Connection,
  mirrors: VectorMirrors,
  { tenant, known, asked: queryVector }: { tenant: Tenant; known: KnownModel; asked: StepVector },
  documents: readonly DocumentKey[],
): VectorHit[] {
  return [...Map.groupBy(documents, ({ layer }) => layer)].flatMap(([layer, ofLayer]) => {
    const shelf = getVectorSet(connection, { tenant, layer, model: known.model });
    if (shelf === undefined) return [];
    const multiply = multiplierOf(connection, mirrors, shelf, queryVector);
    return ofLayer.flatMap(({ id }) => {
      const number = getNumber(connection, { tenant, layer }, id);
      const sum = number === undefined ? undefined : multiply(number);
      return sum === undefined ? [] : [{ layer, id, similarity: cosineOfSteps(sum) }];
    });
  });
}

/** Returns the scale of a stored vector; undefined for a document without one. */
function multiplierOf(
  connection: Connection,
  mirrors: VectorMirrors,
  shelf: number,
  queryVector: StepVector,
): (number: number) => number | undefined {
  const mirror = mirrors.get(shelf);
  if (mirror !== undefined && mirror !== 'too-large') {
    mirror.ask(queryVector);
    return (number) => mirror.multiplyOne(number);
  }
  const statement = connection.statement<{ vector: Uint8Array }>(
    'SELECT vector FROM vectors WHERE place = ?',
  );
  return (number) => {
    const row = statement.get(placeOn(shelf, number));
    return row && sumProducts(queryVector, readSteps(row.vector));
  };
}
