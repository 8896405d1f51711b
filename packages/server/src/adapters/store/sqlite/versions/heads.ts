import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Edge, HeadRecord, VersionWrites } from '@catalog/core/ports/versions';
import { countChanges, toHolder, type Holder } from '@catalog/core/view/view-counts';
import type { Connection } from '../connection/connection.ts';
import { inSteps } from '../connection/steps.ts';
import type { Transaction } from '../transaction.ts';
import { writeList } from './rows.ts';
import { storeCounts } from './view-counts.ts';

type HeadWrites = Pick<VersionWrites, 'putHeads' | 'removeHeads'>;
type NewHead = Parameters<VersionWrites['putHeads']>[2][number];

export function headWrites(transaction: Transaction): HeadWrites {
  const { run } = transaction;
  return {
    async putHeads(tenant, layer, heads) {
      if (heads.length === 0) return;
      await inSteps(run, heads, (connection, some) => putSome(connection, tenant, layer, some));
      await transaction.touchLayer(tenant, layer);
    },
    async removeHeads(tenant, layer, ids) {
      if (ids.length === 0) return;
      await inSteps(run, ids, (connection, some) => removeSome(connection, tenant, layer, some));
      await transaction.touchLayer(tenant, layer);
    },
  };
}

function putSome(
  connection: Connection,
  tenant: Tenant,
  layer: LayerNumber,
  heads: readonly NewHead[],
): void {
  const holders = listHolders(
    connection,
    tenant,
    heads.map(({ id }) => id),
  );
  const counts = countChanges();
  for (const head of heads) {
    const before = holders.get(head.id) ?? NO_HOLDERS;
    const others = before.filter((holder) => holder.layer !== layer);
    const after = [...others, toHolder(layer, head)];
    if (others.length < before.length) removeEdges(connection, tenant, layer, head.id);
    else if (others.length > 0) contest(connection, tenant, head.id, after);
    putHead(connection, tenant, layer, head);
    for (const edge of head.edges) putEdge(connection, tenant, layer, edge);
    counts.note(before, after);
    holders.set(head.id, after);
  }
  storeCounts(connection, tenant, counts);
}

function removeSome(
  connection: Connection,
  tenant: Tenant,
  layer: LayerNumber,
  ids: readonly string[],
): void {
  const holders = listHolders(connection, tenant, ids);
  const counts = countChanges();
  const remove = connection.statement(
    'DELETE FROM heads WHERE tenant = ? AND layer = ? AND id = ?',
  );
  for (const id of ids) {
    const before = holders.get(id) ?? NO_HOLDERS;
    const after = before.filter((holder) => holder.layer !== layer);
    if (after.length === before.length) continue;
    if (after.length > 0) settle(connection, tenant, layer, id, after);
    removeEdges(connection, tenant, layer, id);
    remove.run(tenant, layer, id);
    counts.note(before, after);
    holders.set(id, after);
  }
  storeCounts(connection, tenant, counts);
}

const NO_HOLDERS: readonly Holder[] = [];

function contest(
  connection: Connection,
  tenant: Tenant,
  id: string,
  holders: readonly Holder[],
): void {
  const insert = connection.statement(
    'INSERT INTO contested_heads (tenant, id, layer) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  for (const { layer } of holders) insert.run(tenant, id, layer);
}

/** Records that a layer no longer has an id. If a single layer still has it, the id is no longer shared. */
function settle(
  connection: Connection,
  tenant: Tenant,
  layer: LayerNumber,
  id: string,
  left: readonly Holder[],
): void {
  const remove = connection.statement(
    'DELETE FROM contested_heads WHERE tenant = ? AND id = ? AND layer = ?',
  );
  remove.run(tenant, id, layer);
  const [last] = left;
  if (last !== undefined && left.length === 1) remove.run(tenant, id, last.layer);
}

function listHolders(
  connection: Connection,
  tenant: Tenant,
  ids: readonly string[],
): Map<string, readonly Holder[]> {
  const rows = connection
    .statement<Pick<HeadRecord, 'id' | 'layer' | 'type' | 'sensitivity'>>(
      `SELECT h.id, h.layer, h.type, h.sensitivity
       FROM json_each(?2) named CROSS JOIN heads h ON h.tenant = ?1 AND h.id = named.value`,
    )
    .all(tenant, JSON.stringify(ids));
  const holders = new Map<string, Holder[]>();
  for (const row of rows) {
    const known = holders.get(row.id);
    if (known === undefined) holders.set(row.id, [toHolder(row.layer, row)]);
    else known.push(toHolder(row.layer, row));
  }
  return holders;
}

function putHead(connection: Connection, tenant: Tenant, layer: LayerNumber, head: NewHead): void {
  connection
    .statement(PUT_HEAD)
    .run(
      tenant,
      layer,
      head.id,
      head.version,
      head.type,
      head.sensitivity,
      head.search_visibility,
      Number(head.deprecated),
      head.content_hash,
      head.ingest_order,
      head.ingested_at,
      head.name,
      writeList(head.tags),
      head.replaced_by,
      head.server_identifier,
      head.description,
      writeList(head.when_to_use),
      head.frontmatter,
    );
}

const PUT_HEAD = `
  INSERT INTO heads (tenant, layer, id, version, type, sensitivity, search_visibility, deprecated,
    content_hash, ingest_order, ingested_at, name, tags, replaced_by, server_identifier, description,
    when_to_use, frontmatter)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (tenant, layer, id) DO UPDATE SET
    version = excluded.version, type = excluded.type, sensitivity = excluded.sensitivity,
    search_visibility = excluded.search_visibility, deprecated = excluded.deprecated,
    content_hash = excluded.content_hash, ingest_order = excluded.ingest_order,
    ingested_at = excluded.ingested_at, name = excluded.name, tags = excluded.tags,
    replaced_by = excluded.replaced_by, server_identifier = excluded.server_identifier,
    description = excluded.description, when_to_use = excluded.when_to_use,
    frontmatter = excluded.frontmatter`;

function putEdge(connection: Connection, tenant: Tenant, layer: LayerNumber, edge: Edge): void {
  connection
    .statement(
      `INSERT INTO edges (tenant, to_id, layer, from_id, kind, to_version) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET to_version = excluded.to_version`,
    )
    .run(tenant, edge.to, layer, edge.from, edge.kind, edge.to_version);
}

function removeEdges(connection: Connection, tenant: Tenant, layer: LayerNumber, id: string): void {
  connection
    .statement('DELETE FROM edges WHERE tenant = ? AND layer = ? AND from_id = ?')
    .run(tenant, layer, id);
}
