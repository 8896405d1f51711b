import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { CountChange, CountChanges } from '@catalog/core/domain/count-changes';
import type { Holder, Sharing, SharingChanges } from '@catalog/core/domain/head-sharing';
import { recountHeads, type CountedId, type MapChange } from '@catalog/core/domain/recount-heads';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import { parentPath } from '@catalog/core/text/slash-path';
import type { Sql } from '../../shared/sql.ts';
import { columns } from '../versions/columns.ts';
import { ON_MAP } from './winners.ts';
import type { Queries } from '../../shared/queries.ts';

// Uses sub-selects instead of joins, so that each is an index lookup of one id.
const LIST_COUNTED: Sql<CountedRow> = `SELECT named.id,
    ARRAY(SELECT CASE WHEN ${ON_MAP} THEN h.layer ELSE -h.layer END FROM heads h
      WHERE h.tenant = $1 AND h.id = named.id ORDER BY h.layer) AS holders,
    (SELECT true FROM domain_members
      WHERE tenant = $1 AND layer = $2 AND domain = named.domain AND id = named.id) AS counted,
    (SELECT s.holders FROM domain_shared_ids i
      JOIN domain_sharings s ON s.tenant = $1 AND s.sharing = i.sharing
      WHERE i.tenant = $1 AND i.id = named.id) AS shared
  FROM unnest($3::text[], $4::text[]) AS named (domain, id)`;

interface CountedRow {
  id: string;
  holders: number[];
  counted: true | null;
  shared: number[] | null;
}

const ADD_MEMBERS = `INSERT INTO domain_members (tenant, layer, domain, id)
  SELECT $1, $2, * FROM unnest($3::text[], $4::text[]) ON CONFLICT DO NOTHING`;
const REMOVE_MEMBERS = `DELETE FROM domain_members m
  USING unnest($3::text[], $4::text[]) AS gone (domain, id)
  WHERE m.tenant = $1 AND m.layer = $2 AND m.domain = gone.domain AND m.id = gone.id`;

/**
 * Updates the domain tables for the current heads of some ids, without the heads in `removed`. Changes of counts are
 * collected and written once.
 */
export async function recountIds(
  queries: Queries,
  tenant: Tenant,
  layer: LayerNumber,
  ids: readonly string[],
  removed: ReadonlySet<string>,
  counts: CountChanges,
): Promise<MapChange> {
  const rows = await queries.rows(LIST_COUNTED, tenant, layer, ids.map(parentPath), ids);
  const change = recountHeads(layer, rows.map(toCountedId), removed, counts, keyOf);
  const { appeared, gone } = change;
  if (appeared.length > 0) {
    await queries.run(ADD_MEMBERS, tenant, layer, appeared.map(parentPath), appeared);
  }
  if (gone.length > 0) {
    await queries.run(REMOVE_MEMBERS, tenant, layer, gone.map(parentPath), gone);
  }
  await storeSharings(queries, tenant, change.sharings);
  return change;
}

function toCountedId({ id, holders, counted, shared }: CountedRow): CountedId {
  return {
    id,
    holders: readHolders(holders),
    counted: counted === true,
    shared: shared === null ? undefined : toSharing(shared),
  };
}

function toSharing(numbers: readonly number[]): Sharing {
  const holders = readHolders(numbers);
  return { key: keyOf(holders), holders };
}

function readHolders(numbers: readonly number[]): Holder[] {
  return numbers.map((number) => ({ layer: Math.abs(number), on_map: number > 0 }));
}

/** Encodes the layers that share an id. A negative number marks a head that does not appear in domain listings. */
function writeHolders(holders: readonly { layer: number; on_map: boolean }[]): string {
  return `{${holders.map(({ layer, on_map }) => (on_map ? layer : -layer)).join(',')}}`;
}

/** Number of hex digits of the hash that fit into the type `uuid`. */
const KEY_DIGITS = 32;

function keyOf(holders: readonly Holder[]): string {
  return bytesHash(writeHolders(holders)).slice(-KEY_DIGITS);
}

const ADD_SHARINGS = `INSERT INTO domain_sharings (tenant, sharing, holders)
  SELECT $1, sharing, holders::int[] FROM unnest($2::uuid[], $3::text[]) AS s (sharing, holders)
  ON CONFLICT DO NOTHING`;
const PUT_SHARED_IDS = `INSERT INTO domain_shared_ids (tenant, id, sharing)
  SELECT $1, * FROM unnest($2::text[], $3::uuid[])
  ON CONFLICT (tenant, id) DO UPDATE SET sharing = excluded.sharing`;
const REMOVE_SHARED_IDS =
  'DELETE FROM domain_shared_ids WHERE tenant = $1 AND id = ANY($2::text[])';
const ADD_OVERLAPS = `INSERT INTO domain_overlaps
    (tenant, path, layer, sharing, shadows, artifact_count, recursive_count)
  SELECT $1, * FROM
    unnest($2::text[], $3::int[], $4::uuid[], $5::boolean[], $6::int[], $7::int[])
  ON CONFLICT (tenant, path, layer, sharing) DO UPDATE SET
    artifact_count = domain_overlaps.artifact_count + excluded.artifact_count,
    recursive_count = domain_overlaps.recursive_count + excluded.recursive_count`;
const REMOVE_OVERLAPS = `DELETE FROM domain_overlaps o
  USING unnest($2::text[], $3::int[], $4::uuid[]) AS fewer (path, layer, sharing)
  WHERE o.tenant = $1 AND o.path = fewer.path AND o.layer = fewer.layer
    AND o.sharing = fewer.sharing AND o.recursive_count = 0`;
const REMOVE_SHARINGS = `DELETE FROM domain_sharings s
  WHERE s.tenant = $1 AND s.sharing = ANY($2::uuid[]) AND NOT EXISTS (
    SELECT 1 FROM domain_overlaps o WHERE o.tenant = $1 AND o.path = ''
      AND o.layer = abs(s.holders[2]) AND o.sharing = s.sharing)`;

async function storeSharings(
  queries: Queries,
  tenant: Tenant,
  changes: SharingChanges,
): Promise<void> {
  const ids = changes.ids();
  if (ids.length === 0) return;
  const uses = changes.uses();
  const added = uses
    .filter(({ by }) => by > 0)
    .map(({ sharing: { key, holders } }) => ({ key, text: writeHolders(holders) }));
  await queries.run(ADD_SHARINGS, tenant, ...columns(added, 'key', 'text'));
  const shared = ids.flatMap(({ id, sharing }) => (sharing === undefined ? [] : { id, sharing }));
  await queries.run(PUT_SHARED_IDS, tenant, ...columns(shared, 'id', 'sharing'));
  const alone = ids.filter(({ sharing }) => sharing === undefined).map(({ id }) => id);
  if (alone.length > 0) await queries.run(REMOVE_SHARED_IDS, tenant, alone);
  await storeOverlaps(queries, tenant, changes);
  const fewer = uses.filter(({ by }) => by < 0).map(({ sharing }) => sharing.key);
  if (fewer.length > 0) await queries.run(REMOVE_SHARINGS, tenant, fewer);
}

async function storeOverlaps(
  queries: Queries,
  tenant: Tenant,
  changes: SharingChanges,
): Promise<void> {
  const overlaps = changes.overlaps();
  const shadowing = new Set(
    changes
      .uses()
      .filter(({ sharing }) => sharing.holders.some(({ on_map }) => !on_map))
      .map(({ sharing }) => sharing.key),
  );
  const keys = columns(overlaps, 'path', 'layer', 'sharing');
  await queries.run(
    ADD_OVERLAPS,
    tenant,
    ...keys,
    overlaps.map(({ sharing }) => shadowing.has(sharing)),
    ...columns(overlaps, 'artifact_count', 'recursive_count'),
  );
  if (overlaps.some(({ recursive_count }) => recursive_count <= 0)) {
    await queries.run(REMOVE_OVERLAPS, tenant, ...keys);
  }
}

const ADD_COUNTS = `INSERT INTO domains
    (tenant, layer, parent, path, artifact_count, recursive_count, file_count)
  SELECT $1, $2, * FROM unnest($3::text[], $4::text[], $5::int[], $6::int[], $7::int[])
  ON CONFLICT (tenant, path, layer) DO UPDATE SET
    artifact_count = domains.artifact_count + excluded.artifact_count,
    recursive_count = domains.recursive_count + excluded.recursive_count,
    file_count = domains.file_count + excluded.file_count`;
const REMOVE_EMPTY = `DELETE FROM domains d USING unnest($3::text[]) AS fewer (path)
  WHERE d.tenant = $1 AND d.layer = $2 AND d.path = fewer.path
    AND d.recursive_count = 0 AND d.file_count = 0`;

export async function storeCounts(
  queries: Queries,
  tenant: Tenant,
  layer: LayerNumber,
  changes: readonly CountChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await queries.run(
    ADD_COUNTS,
    tenant,
    layer,
    changes.map(({ path }) => parentPath(path)),
    ...columns(changes, 'path', 'artifact_count', 'recursive_count', 'file_count'),
  );
  const fewer = changes.filter((change) => change.recursive_count < 0 || change.file_count < 0);
  if (fewer.length > 0) await queries.run(REMOVE_EMPTY, tenant, layer, ...columns(fewer, 'path'));
}
