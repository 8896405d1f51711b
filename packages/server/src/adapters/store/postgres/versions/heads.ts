import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Edge, HeadRecord, VersionWrites } from '@catalog/core/ports/versions';
import { countChanges, toHolder, type Holder } from '@catalog/core/view/view-counts';
import type { Sql } from '../../shared/sql.ts';
import { batches } from '../pool/batches.ts';
import { jsonText } from '../pool/json-text.ts';
import type { Queries } from '../../shared/queries.ts';
import type { Transaction } from '../../shared/queries.ts';
import { storeCounts } from './view-counts.ts';

type HeadWrites = Pick<VersionWrites, 'putHeads' | 'removeHeads'>;
type NewHead = Parameters<VersionWrites['putHeads']>[2][number];

export function headWrites(transaction: Transaction): HeadWrites {
  const { run } = transaction;
  return {
    async putHeads(tenant, layer, heads) {
      if (heads.length === 0) return;
      // A statement may write each row only once.
      const latest = new Map(heads.map((head) => [head.id, head]));
      for (const some of batches([...latest.values()], bytesOf)) {
        await run(tenant, (queries) => putSome(queries, tenant, layer, some));
      }
      await transaction.touchLayer(tenant, layer);
    },
    async removeHeads(tenant, layer, ids) {
      if (ids.length === 0) return;
      for (const some of batches([...new Set(ids)])) {
        await run(tenant, (queries) => removeSome(queries, tenant, layer, some));
      }
      await transaction.touchLayer(tenant, layer);
    },
  };
}

function bytesOf({ description, frontmatter }: NewHead): number {
  return description.length + (frontmatter?.length ?? 0);
}

async function putSome(
  queries: Queries,
  tenant: Tenant,
  layer: LayerNumber,
  heads: readonly NewHead[],
): Promise<void> {
  const held = await listHeld(
    queries,
    tenant,
    heads.map(({ id }) => id),
  );
  const counts = countChanges();
  const replaced: string[] = [];
  for (const head of heads) {
    const before = held.get(head.id) ?? NO_HOLDERS;
    const others = before.filter((holder) => holder.layer !== layer);
    if (others.length < before.length) replaced.push(head.id);
    counts.note(before, [...others, toHolder(layer, head)]);
  }
  await queries.run(PUT_HEADS, tenant, layer, jsonText(heads.map(toRow)));
  await removeRelatedRows(queries, tenant, layer, replaced);
  await putServers(queries, tenant, layer, heads);
  await putEdges(queries, tenant, layer, heads);
  await storeCounts(queries, tenant, counts);
}

async function removeSome(
  queries: Queries,
  tenant: Tenant,
  layer: LayerNumber,
  ids: readonly string[],
): Promise<void> {
  const held = await listHeld(queries, tenant, ids);
  const counts = countChanges();
  const removed: string[] = [];
  for (const [id, before] of held) {
    const after = before.filter((holder) => holder.layer !== layer);
    if (after.length === before.length) continue;
    removed.push(id);
    counts.note(before, after);
  }
  if (removed.length === 0) return;
  await queries.run(REMOVE_HEADS, tenant, layer, removed);
  await queries.run(REMOVE_DETAILS, tenant, layer, removed);
  await removeRelatedRows(queries, tenant, layer, removed);
  await storeCounts(queries, tenant, counts);
}

const NO_HOLDERS: readonly Holder[] = [];

const LIST_HELD: Sql<Pick<HeadRecord, 'id' | 'layer' | 'type' | 'sensitivity'>> =
  `SELECT h.id, h.layer, h.type, h.sensitivity
  FROM unnest($2::text[]) AS named (id)
  CROSS JOIN LATERAL (SELECT * FROM heads WHERE tenant = $1 AND id = named.id OFFSET 0) h`;

async function listHeld(
  queries: Queries,
  tenant: Tenant,
  ids: readonly string[],
): Promise<Map<string, Holder[]>> {
  const held = new Map<string, Holder[]>();
  for (const row of await queries.rows(LIST_HELD, tenant, ids)) {
    const holder = toHolder(row.layer, row);
    const known = held.get(row.id);
    if (known === undefined) held.set(row.id, [holder]);
    else known.push(holder);
  }
  return held;
}

const SHOWN = `deprecated, servable, ingest_order, ingested_at, version, type, sensitivity,
  search_visibility, content_hash, name, description, tags`;
const DETAILS = 'replaced_by, when_to_use, frontmatter';

const PUT_HEADS = `
  WITH given AS MATERIALIZED (
    SELECT * FROM json_to_recordset($3::json) AS g (id text, deprecated boolean,
      servable boolean, ingest_order bigint, ingested_at timestamptz, version text, type text,
      sensitivity text, search_visibility text, content_hash text, name text, description text,
      tags text[], replaced_by text, when_to_use text[], frontmatter text)),
  put AS (
    INSERT INTO heads (tenant, layer, id, ${SHOWN})
    SELECT $1, $2, id, ${SHOWN} FROM given
    ON CONFLICT (tenant, layer, id) DO UPDATE SET ${assignments(SHOWN)})
  INSERT INTO head_details (tenant, layer, id, ${DETAILS})
  SELECT $1, $2, id, ${DETAILS} FROM given
  ON CONFLICT (tenant, layer, id) DO UPDATE SET ${assignments(DETAILS)}`;

function assignments(columns: string): string {
  return columns
    .split(/,\s*/)
    .map((column) => `${column} = excluded.${column}`)
    .join(', ');
}

function toRow(head: NewHead): object {
  return { ...head, edges: undefined, servable: head.frontmatter !== null };
}

const REMOVE_HEADS = `DELETE FROM heads
  WHERE tenant = $1 AND layer = $2 AND id = ANY($3::text[])`;
const REMOVE_DETAILS = `DELETE FROM head_details
  WHERE tenant = $1 AND layer = $2 AND id = ANY($3::text[])`;
const REMOVE_EDGES = `DELETE FROM edges
  WHERE tenant = $1 AND layer = $2 AND from_id = ANY($3::text[])`;
const REMOVE_SERVERS = `DELETE FROM server_heads
  WHERE tenant = $1 AND layer = $2 AND id = ANY($3::text[])`;

async function removeRelatedRows(
  queries: Queries,
  tenant: Tenant,
  layer: LayerNumber,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await queries.run(REMOVE_EDGES, tenant, layer, ids);
  await queries.run(REMOVE_SERVERS, tenant, layer, ids);
}

const PUT_SERVERS = `INSERT INTO server_heads (tenant, layer, id, identifier_hash)
  SELECT $1, $2, * FROM unnest($3::text[], $4::text[])`;

async function putServers(
  queries: Queries,
  tenant: Tenant,
  layer: LayerNumber,
  heads: readonly NewHead[],
): Promise<void> {
  const ids: string[] = [];
  const hashes: string[] = [];
  for (const { id, server_identifier } of heads) {
    if (server_identifier === null) continue;
    ids.push(id);
    hashes.push(bytesHash(server_identifier));
  }
  if (ids.length > 0) await queries.run(PUT_SERVERS, tenant, layer, ids, hashes);
}

const PUT_EDGES = `INSERT INTO edges (tenant, layer, from_id, to_id, kind, to_version)
  SELECT $1, $2, * FROM unnest($3::text[], $4::text[], $5::text[], $6::text[])
  ON CONFLICT (tenant, to_id, layer, from_id, kind) DO UPDATE SET to_version = excluded.to_version`;

async function putEdges(
  queries: Queries,
  tenant: Tenant,
  layer: LayerNumber,
  heads: readonly NewHead[],
): Promise<void> {
  const edges = new Map<string, Edge>();
  for (const edge of heads.flatMap((head) => head.edges)) {
    edges.set(`${edge.kind} ${edge.from}@${edge.to}`, edge);
  }
  for (const some of batches([...edges.values()])) {
    await queries.run(
      PUT_EDGES,
      tenant,
      layer,
      some.map(({ from }) => from),
      some.map(({ to }) => to),
      some.map(({ kind }) => kind),
      some.map(({ to_version }) => to_version),
    );
  }
}
