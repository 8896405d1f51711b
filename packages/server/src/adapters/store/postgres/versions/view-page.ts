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
import { viewRange } from '@catalog/core/view/view-range';
import type { Sql } from '../../shared/sql.ts';
import { batches } from '../pool/batches.ts';
import type { Queries } from '../../shared/queries.ts';
import { HEAD_COLUMNS } from './rows.ts';

// Filters by layer last, because the planner would otherwise look up every pair of id and layer.
const HEADS_OF: Sql<HeadRecord> = `SELECT ${HEAD_COLUMNS}
  FROM unnest($3::text[]) AS named (id)
  CROSS JOIN LATERAL (
    SELECT * FROM heads
    WHERE tenant = $1 AND id = named.id AND (layer + 0) = ANY($2::int[]) OFFSET 0) h
  JOIN head_details d ON d.tenant = $1 AND d.layer = h.layer AND d.id = h.id`;

export async function headsOf(
  queries: Queries,
  tenant: Tenant,
  layers: LayerStack,
  ids: readonly string[],
): Promise<HeadRecord[]> {
  const heads: HeadRecord[] = [];
  for (const some of batches([...new Set(ids)])) {
    heads.push(...(await queries.rows(HEADS_OF, tenant, layers, some)));
  }
  return heads;
}

const TEXTS_OF: Sql<HeadText> = `SELECT h.id, h.name, h.description, d.when_to_use, h.tags
  FROM unnest($3::text[]) AS named (id)
  CROSS JOIN LATERAL (
    SELECT * FROM heads WHERE tenant = $1 AND layer = $2 AND id = named.id OFFSET 0) h
  CROSS JOIN LATERAL (
    SELECT when_to_use FROM head_details
    WHERE tenant = $1 AND layer = $2 AND id = named.id OFFSET 0) d`;

export async function textsOf(
  queries: Queries,
  tenant: Tenant,
  layer: LayerNumber,
  ids: readonly string[],
): Promise<HeadText[]> {
  const texts: HeadText[] = [];
  for (const some of batches([...new Set(ids)])) {
    texts.push(...(await queries.rows(TEXTS_OF, tenant, layer, some)));
  }
  return texts;
}

interface Composed {
  id: string;
  layer: LayerNumber;
}

function byId(columns: string): string {
  return `SELECT ${columns} FROM heads
    WHERE tenant = $1 AND layer = ANY($2::int[]) AND id > $3 AND id < $4 ORDER BY id`;
}

/**
 * Returns a statement that lists the first heads of a view and reads few rows besides them. There are two ways: a walk
 * by id, which skips heads of other layers, or reading the limit from each layer and sorting. The second is used for
 * few or small layers. Only one of the two branches returns rows.
 */
function firstHeads(columns: string): string {
  return `
  WITH visible AS MATERIALIZED (
    SELECT coalesce(sum(heads), 0) AS heads FROM layer_numbers
    WHERE tenant = $1 AND number = ANY($2::int[])),
  shorter AS MATERIALIZED (
    SELECT least(cardinality($2::int[]) * $5::bigint, visible.heads)
      < $5::bigint * t.heads / greatest(visible.heads, 1) / 4 AS by_layer
    FROM tenants t CROSS JOIN visible WHERE t.tenant = $1)
  (SELECT * FROM (${byId(columns)} LIMIT $5) h WHERE NOT (SELECT by_layer FROM shorter))
  UNION ALL
  (SELECT ${columns} FROM unnest($2::int[]) AS visible (number) CROSS JOIN LATERAL (
     SELECT * FROM heads
     WHERE tenant = $1 AND layer = visible.number AND id > $3 AND id < $4
     ORDER BY id LIMIT $5) h
   WHERE (SELECT by_layer FROM shorter) ORDER BY id LIMIT $5)`;
}

function ofId(columns: string): string {
  return `SELECT ${columns} FROM heads
    WHERE tenant = $1 AND id = $3 AND (layer + 0) = ANY($2::int[])`;
}

export interface Listing<Row extends object, Head extends Composed> {
  of_id: Sql<Row>;
  first: Sql<Row>;
  toHead: (row: Row) => Head;
}

function listing<Row extends object, Head extends Composed>(
  columns: string,
  toHead: (row: Row) => Head,
): Listing<Row, Head> {
  return { of_id: ofId(columns), first: firstHeads(columns), toHead };
}

const LISTED = 'layer, id, version, type, content_hash, deprecated, servable';

export const ALL_LISTED = byId(LISTED);

/**
 * Joins columns into one string per row, because for large manifests the cost of the driver per column dominates. The
 * columns contain no control characters.
 */
export const listed = listing(
  `concat_ws(E'\\t', ${LISTED}) AS head`,
  ({ head }: { head: string }): ListedHead => {
    const [layer, id = '', version = '', type = '', content_hash = '', deprecated, servable] =
      head.split('\t');
    return {
      layer: Number(layer),
      id,
      version,
      type,
      content_hash,
      deprecated: deprecated === 't',
      servable: servable === 't',
    };
  },
);

export const described = listing(
  'layer, id, type, description',
  (row: DescribedHead): DescribedHead => row,
);

export async function listViewPage<Row extends object, Head extends Composed>(
  queries: Queries,
  { of_id, first, toHead }: Listing<Row, Head>,
  tenant: Tenant,
  layers: LayerStack,
  { prefix, after, limit }: ViewPage,
): Promise<Head[]> {
  const ranks = new Map(layers.map((layer, rank) => [layer, rank]));
  const range = viewRange({ prefix, after });
  const page: Head[] = [];
  if (range.itself !== undefined) {
    const rows = await queries.rows(of_id, tenant, layers, range.itself);
    page.push(...winners(rows.map(toHead), ranks));
  }
  // A layer has at most one head of an id. With more rows than layers, the first id is complete.
  const hidden = layers.length + 1;
  for (let last = range.after; page.length < limit;) {
    const rowLimit = limit - page.length + hidden;
    const rows = await queries.rows(first, tenant, layers, last, range.before, rowLimit);
    const found = winners(rows.map(toHead), ranks);
    // More rows of the last id may follow.
    if (rows.length === rowLimit) found.pop();
    page.push(...found);
    if (rows.length < rowLimit) break;
    last = page.at(-1)?.id ?? last;
  }
  return page.length > limit ? page.slice(0, limit) : page;
}

/** Selects the head of the highest layer for each id. Heads of the same id must be adjacent. */
function winners<Head extends Composed>(
  heads: readonly Head[],
  ranks: ReadonlyMap<LayerNumber, number>,
): Head[] {
  const found: Head[] = [];
  for (const head of heads) {
    const last = found.at(-1);
    if (last?.id !== head.id) found.push(head);
    else if ((ranks.get(head.layer) ?? 0) > (ranks.get(last.layer) ?? 0)) {
      found[found.length - 1] = head;
    }
  }
  return found;
}
