import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { HeadRecord, LayerStack } from '@catalog/core/ports/versions';
import type { Connection } from './connection.ts';
import { HEAD_COLUMNS, toHead, type HeadRow } from './version-rows.ts';

/** Ids strictly between two texts, in byte order. */
interface Range {
  after: string;
  before: string;
}

interface Page {
  prefix: string;
  after: string;
  limit: number;
}

/** Above every id: no id contains the last code point. */
const END = '\u{10FFFF}';

/** SQLite unites at most 500 selects; a view of more layers is merged from parts. */
const LAYERS_AT_ONCE = 250;

/**
 * One page of a composed view. Each layer's heads come in the order of their ids from the layer's own
 * index and are merged, so a page reads about as many rows as it answers, whatever else the tenant holds.
 */
export function listViewPage(
  connection: Connection,
  tenant: Tenant,
  layers: LayerStack,
  { prefix, after, limit }: Page,
): HeadRecord[] {
  if (limit <= 0) return [];
  if (prefix === '') {
    return listRange(connection, tenant, layers, { after, before: END }, limit);
  }
  // Below `a/b` lies what is between `a/b/` and `a/b0`. `a/b` itself comes before that, and what
  // stands between the two, such as `a/b-c`, is no part of it.
  const below = `${prefix}/`;
  const itself =
    compareBytes(after, prefix) < 0 ? getWinner(connection, tenant, layers, prefix) : undefined;
  const range = { after: compareBytes(after, below) < 0 ? below : after, before: `${prefix}0` };
  if (itself === undefined) return listRange(connection, tenant, layers, range, limit);
  return [itself, ...listRange(connection, tenant, layers, range, limit - 1)];
}

const HEADS_OF_ONE = `SELECT ${HEAD_COLUMNS} FROM heads h WHERE h.tenant = ? AND h.id = ?`;
const HEADS_OF_MANY = `SELECT ${HEAD_COLUMNS}
  FROM json_each(?2) named CROSS JOIN heads h ON h.tenant = ?1 AND h.id = named.value`;

/** Every head of the ids in the layers. */
export function headsOf(
  connection: Connection,
  tenant: Tenant,
  layers: LayerStack,
  ids: readonly string[],
): HeadRecord[] {
  const [only = ''] = ids;
  // The layers that hold one id are few; asking for all is cheaper than naming the visible ones.
  const rows =
    ids.length === 1
      ? connection.statement<HeadRow>(HEADS_OF_ONE).all(tenant, only)
      : connection.statement<HeadRow>(HEADS_OF_MANY).all(tenant, JSON.stringify(ids));
  const heads: HeadRecord[] = [];
  for (const row of rows) if (layers.includes(row.layer)) heads.push(toHead(row));
  return heads;
}

function getWinner(
  connection: Connection,
  tenant: Tenant,
  layers: LayerStack,
  id: string,
): HeadRecord | undefined {
  return headsOf(connection, tenant, layers, [id])
    .sort((a, b) => layers.indexOf(b.layer) - layers.indexOf(a.layer))
    .at(0);
}

function listRange(
  connection: Connection,
  tenant: Tenant,
  layers: LayerStack,
  range: Range,
  limit: number,
): HeadRecord[] {
  const parts: HeadRecord[][] = [];
  // From the highest layer down: of an id that two parts list, the first is the one in the view.
  for (let end = layers.length; end > 0; end -= LAYERS_AT_ONCE) {
    const part = layers.slice(Math.max(0, end - LAYERS_AT_ONCE), end);
    parts.push(listMerged(connection, tenant, part, range, limit));
  }
  if (parts.length === 1) return parts[0] ?? [];
  const winners = new Map<string, HeadRecord>();
  for (const head of parts.flat()) if (!winners.has(head.id)) winners.set(head.id, head);
  return [...winners.values()].sort((a, b) => compareBytes(a.id, b.id)).slice(0, limit);
}

function listMerged(
  connection: Connection,
  tenant: Tenant,
  layers: LayerStack,
  { after, before }: Range,
  limit: number,
): HeadRecord[] {
  const statement = connection.statement<HeadRow>(mergedSql(layers.length));
  const highestFirst = layers.toReversed();
  const heads: HeadRecord[] = [];
  let last = after;
  while (heads.length < limit) {
    const asked = limit - heads.length;
    const rows = statement.all(tenant, last, before, asked, ...highestFirst);
    for (const row of rows) {
      // Rows of one id follow each other, the highest layer's first.
      if (row.id !== last) heads.push(toHead(row));
      last = row.id;
    }
    if (rows.length < asked) break;
  }
  return heads;
}

/** The heads of so many layers in the order of their ids; the layers are given highest first. */
function mergedSql(layerCount: number): string {
  const known = texts.get(layerCount);
  if (known !== undefined) return known;
  const selects = Array.from(
    { length: layerCount },
    (_, place) =>
      `SELECT ${HEAD_COLUMNS}, ${place} AS place FROM heads h
       WHERE h.tenant = ?1 AND h.layer = ?${place + 5} AND h.id > ?2 AND h.id < ?3`,
  );
  // The sum is for the same reason as in `limit.ts`; the parameters here are numbered.
  const sql = `${selects.join(' UNION ALL ')} ORDER BY id, place LIMIT ?4 + 0`;
  texts.set(layerCount, sql);
  return sql;
}

const texts = new Map<number, string>();
