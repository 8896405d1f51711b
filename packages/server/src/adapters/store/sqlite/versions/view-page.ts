import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type {
  DescribedHead,
  HeadRecord,
  HeadText,
  LayerStack,
  ListedHead,
  ViewPage,
} from '@catalog/core/ports/versions';
import { viewRange, type ViewRange } from '@catalog/core/view/view-range';
import type { Sql } from '../../shared/sql.ts';
import type { Connection } from '../connection/connection.ts';
import { HEAD_COLUMNS, readList, toHead, type HeadRow } from './rows.ts';

/** Number of layers per statement, because SQLite allows 500 selects in a union. */
const LAYERS_AT_ONCE = 250;

export interface Listing<Row extends Listed, Head> {
  columns: Sql<Row>;
  toHead: (row: Row) => Head;
}

interface Listed {
  layer: LayerNumber;
  id: string;
}

interface ListedRow extends Omit<ListedHead, 'deprecated' | 'servable'> {
  deprecated: number;
  servable: number;
}

export const listed: Listing<ListedRow, ListedHead> = {
  columns: `h.layer, h.id, h.version, h.type, h.content_hash, h.deprecated,
    h.frontmatter IS NOT NULL AS servable`,
  toHead: ({ layer, id, version, type, content_hash, deprecated, servable }) => ({
    layer,
    id,
    version,
    type,
    content_hash,
    deprecated: deprecated === 1,
    servable: servable === 1,
  }),
};

export const described: Listing<DescribedHead, DescribedHead> = {
  columns: 'h.layer, h.id, h.type, h.description',
  toHead: ({ layer, id, type, description }) => ({ layer, id, type, description }),
};

/**
 * Lists a page of the view. Merges the heads of the layers in id order, each from its own index, so that few rows are
 * read.
 */
export function listViewPage<Row extends Listed, Head>(
  connection: Connection,
  listing: Listing<Row, Head>,
  tenant: Tenant,
  layers: LayerStack,
  { prefix, after, limit }: ViewPage,
): Head[] {
  if (limit <= 0) return [];
  const range = viewRange({ prefix, after });
  const view = { connection, listing, tenant, layers };
  const itself = range.itself === undefined ? undefined : getWinner(view, range.itself);
  const rows =
    itself === undefined
      ? listRange(view, range, limit)
      : [itself, ...listRange(view, range, limit - 1)];
  return rows.map(listing.toHead);
}

interface ReadView<Row extends Listed> {
  connection: Connection;
  listing: Listing<Row, unknown>;
  tenant: Tenant;
  layers: LayerStack;
}

/** Reads no heads of other layers, so that the response time does not reveal hidden artifacts. */
const HEADS_OF_ONE: Sql<HeadRow> = `SELECT ${HEAD_COLUMNS}
  FROM json_each(?3) seen
  CROSS JOIN heads h INDEXED BY heads_layer
    ON h.tenant = ?1 AND h.layer = seen.value AND h.id = ?2`;
const HEADS_OF_MANY: Sql<HeadRow> = `SELECT ${HEAD_COLUMNS}
  FROM json_each(?2) named
  CROSS JOIN json_each(?3) seen
  CROSS JOIN heads h INDEXED BY heads_layer
    ON h.tenant = ?1 AND h.layer = seen.value AND h.id = named.value`;

export function headsOf(
  connection: Connection,
  tenant: Tenant,
  layers: LayerStack,
  ids: readonly string[],
): HeadRecord[] {
  const [only = ''] = ids;
  const seen = JSON.stringify(layers);
  const rows =
    ids.length === 1
      ? connection.statement(HEADS_OF_ONE).all(tenant, only, seen)
      : connection.statement(HEADS_OF_MANY).all(tenant, JSON.stringify(ids), seen);
  return rows.map(toHead);
}

type TextRow = Pick<HeadRow, keyof HeadText>;

const TEXTS_OF: Sql<TextRow> = `SELECT h.id, h.name, h.description, h.when_to_use, h.tags
  FROM json_each(?3) named CROSS JOIN heads h INDEXED BY heads_layer
    ON h.tenant = ?1 AND h.layer = ?2 AND h.id = named.value`;

export function textsOf(
  connection: Connection,
  tenant: Tenant,
  layer: LayerNumber,
  ids: readonly string[],
): HeadText[] {
  return connection
    .statement(TEXTS_OF)
    .all(tenant, layer, JSON.stringify(ids))
    .map(({ id, name, description, when_to_use, tags }) => ({
      id,
      name,
      description,
      when_to_use: readList(when_to_use),
      tags: readList(tags),
    }));
}

function getWinner<Row extends Listed>(
  { connection, listing: { columns }, tenant, layers }: ReadView<Row>,
  id: string,
): Row | undefined {
  return connection
    .statement<Row>(`SELECT ${columns} FROM heads h WHERE h.tenant = ? AND h.id = ?`)
    .all(tenant, id)
    .filter(({ layer }) => layers.includes(layer))
    .sort((a, b) => layers.indexOf(b.layer) - layers.indexOf(a.layer))
    .at(0);
}

function listRange<Row extends Listed>(
  view: ReadView<Row>,
  range: ViewRange,
  limit: number,
): Row[] {
  const parts: Row[][] = [];
  // Of two parts with the same id, the part with higher layers applies.
  for (let end = view.layers.length; end > 0; end -= LAYERS_AT_ONCE) {
    const layers = view.layers.slice(Math.max(0, end - LAYERS_AT_ONCE), end);
    parts.push(listMerged({ ...view, layers }, range, limit));
  }
  if (parts.length === 1) return parts[0] ?? [];
  const winners = new Map<string, Row>();
  for (const row of parts.flat()) if (!winners.has(row.id)) winners.set(row.id, row);
  return [...winners.values()].sort((a, b) => compareBytes(a.id, b.id)).slice(0, limit);
}

function listMerged<Row extends Listed>(
  { connection, listing: { columns }, tenant, layers }: ReadView<Row>,
  { after, before }: ViewRange,
  limit: number,
): Row[] {
  const statement = connection.statement(mergedSql(columns, layers.length));
  const highestFirst = layers.toReversed();
  const winners: Row[] = [];
  let last = after;
  while (winners.length < limit) {
    const rowLimit = limit - winners.length;
    const rows = statement.all(tenant, last, before, rowLimit, ...highestFirst);
    for (const row of rows) {
      if (row.id !== last) winners.push(row);
      last = row.id;
    }
    if (rows.length < rowLimit) break;
  }
  return winners;
}

/** Returns a statement that merges layers, which must be in order, highest first. */
function mergedSql<Row extends Listed>(columns: Sql<Row>, layerCount: number): Sql<Row> {
  const key = `${layerCount} ${columns}`;
  const known = texts.get(key);
  if (known !== undefined) return known;
  const selects = Array.from(
    { length: layerCount },
    (_, place) =>
      `SELECT ${columns}, ${place} AS place FROM heads h
       WHERE h.tenant = ?1 AND h.layer = ?${place + 5} AND h.id > ?2 AND h.id < ?3`,
  );
  // See `limit.ts` for the reason for the sum.
  const sql = `${selects.join(' UNION ALL ')} ORDER BY id, place LIMIT ?4 + 0`;
  texts.set(key, sql);
  return sql;
}

const texts = new Map<string, string>();
