import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { LayerStack, ViewCounts } from '@catalog/core/ports/versions';
import {
  composeCounts,
  readHolders,
  writeHolders,
  type CountChanges,
  type CountedHeads,
  type CountedOverlap,
  type OverlapChange,
} from '@catalog/core/view/view-counts';
import type { Queries } from '../../shared/queries.ts';
import type { Sql } from '../../shared/sql.ts';

// A single statement reads heads and overlaps from the same snapshot.
const COUNT: Sql<CountRow> = `SELECT NULL AS holders, type, sensitivity, sum(heads)::bigint AS count
  FROM head_counts WHERE tenant = $1 AND layer = ANY($2::int[]) GROUP BY type, sensitivity
  UNION ALL
  SELECT o.holders, NULL, NULL, o.ids
  FROM (SELECT DISTINCT holders_hash FROM head_overlap_layers
        WHERE tenant = $1 AND layer = ANY($2::int[])) of_view
  JOIN head_overlaps o ON o.tenant = $1 AND o.holders_hash = of_view.holders_hash`;

type CountRow =
  | ({ holders: null; count: number } & Pick<CountedHeads, 'type' | 'sensitivity'>)
  | { holders: string; count: number };

export async function countView(
  queries: Queries,
  tenant: Tenant,
  layers: LayerStack,
): Promise<ViewCounts> {
  const heads: CountedHeads[] = [];
  const overlaps: CountedOverlap[] = [];
  for (const row of await queries.rows(COUNT, tenant, layers)) {
    if (row.holders === null) heads.push({ ...row, heads: row.count });
    else overlaps.push({ holders: readHolders(row.holders), ids: row.count });
  }
  return composeCounts(layers, heads, overlaps);
}

// A row whose count becomes zero stays until the layer is purged. A layer has few types, so there are few such rows.
const ADD_HEADS = `
  WITH changed AS MATERIALIZED (
    SELECT * FROM unnest($2::int[], $3::text[], $4::text[], $5::bigint[])
      AS c (layer, type, sensitivity, by)),
  counted AS (
    INSERT INTO head_counts (tenant, layer, type, sensitivity, heads) SELECT $1, * FROM changed
    ON CONFLICT (tenant, layer, type, sensitivity)
      DO UPDATE SET heads = head_counts.heads + excluded.heads),
  of_layers AS (
    UPDATE layer_numbers n SET heads = n.heads + c.by
    FROM (SELECT layer, sum(by) AS by FROM changed GROUP BY layer) c
    WHERE n.tenant = $1 AND n.number = c.layer AND c.by <> 0)
  UPDATE tenants SET heads = heads + (SELECT sum(by) FROM changed) WHERE tenant = $1`;

export async function storeCounts(
  queries: Queries,
  tenant: Tenant,
  changes: CountChanges,
): Promise<void> {
  const heads = changes.heads();
  if (heads.length > 0) {
    await queries.run(
      ADD_HEADS,
      tenant,
      heads.map(({ layer }) => layer),
      heads.map(({ type }) => type),
      heads.map(({ sensitivity }) => sensitivity),
      heads.map(({ by }) => by),
    );
  }
  await storeOverlaps(queries, tenant, changes.overlaps());
}

const ADD_OVERLAPS = `INSERT INTO head_overlaps (tenant, holders_hash, holders, ids)
  SELECT $1, * FROM unnest($2::text[], $3::text[], $4::bigint[])
  ON CONFLICT (tenant, holders_hash) DO UPDATE SET ids = head_overlaps.ids + excluded.ids`;
const ADD_OVERLAP_LAYERS = `INSERT INTO head_overlap_layers (tenant, layer, holders_hash)
  SELECT $1, * FROM unnest($2::int[], $3::text[]) ON CONFLICT DO NOTHING`;
const REMOVE_OVERLAPS: Sql<{ holders_hash: string }> = `DELETE FROM head_overlaps
  WHERE tenant = $1 AND holders_hash = ANY($2::text[]) AND ids = 0 RETURNING holders_hash`;
const REMOVE_OVERLAP_LAYERS = `DELETE FROM head_overlap_layers o
  USING unnest($2::int[], $3::text[]) AS gone (layer, holders_hash)
  WHERE o.tenant = $1 AND o.layer = gone.layer AND o.holders_hash = gone.holders_hash`;

async function storeOverlaps(
  queries: Queries,
  tenant: Tenant,
  changes: readonly OverlapChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const ways = changes.map(({ holders, by }) => {
    const text = writeHolders(holders);
    return { hash: bytesHash(text), text, holders, by };
  });
  const hashes = ways.map(({ hash }) => hash);
  const texts = ways.map(({ text }) => text);
  const by = ways.map((way) => way.by);
  await queries.run(ADD_OVERLAPS, tenant, hashes, texts, by);
  const more = listLayers(ways.filter((way) => way.by > 0));
  if (more.layers.length > 0) {
    await queries.run(ADD_OVERLAP_LAYERS, tenant, more.layers, more.hashes);
  }
  const fewer = ways.filter((way) => way.by < 0);
  if (fewer.length === 0) return;
  const rows = await queries.rows(
    REMOVE_OVERLAPS,
    tenant,
    fewer.map(({ hash }) => hash),
  );
  const removed = new Set(rows.map(({ holders_hash }) => holders_hash));
  const gone = listLayers(fewer.filter(({ hash }) => removed.has(hash)));
  if (gone.layers.length > 0) {
    await queries.run(REMOVE_OVERLAP_LAYERS, tenant, gone.layers, gone.hashes);
  }
}

/** Lists the layers of an overlap without the lowest number, which is stored separately. */
function listLayers(ways: readonly Pick<OverlapChange & { hash: string }, 'hash' | 'holders'>[]): {
  layers: LayerNumber[];
  hashes: string[];
} {
  const pairs = ways.flatMap(({ hash, holders }) =>
    holders.slice(1).map(({ layer }) => ({ layer, hash })),
  );
  return { layers: pairs.map(({ layer }) => layer), hashes: pairs.map(({ hash }) => hash) };
}
